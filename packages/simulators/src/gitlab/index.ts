export type {
  CheckConclusion,
  CheckScript,
  SimulatedCheck,
  SimulatedHead,
} from '../shared/ci-script.ts';
export type { SimulatedRequest } from '../shared/http/exchange.ts';
export type { SimulatedDelivery } from '../shared/webhook-delivery.ts';
export type { SimulatedGitLabCi } from './ci/ci-controls.ts';
export {
  type GitLabSimulator,
  type GitLabSimulatorOptions,
  gitLabFailureKinds,
  type SimulatedAccessToken,
  type SimulatedGitLabFailure,
  type SimulatedGitLabThread,
  type SimulatedNote,
} from './gitlab-simulator.ts';
export type {
  SimulatedGitLabReviews,
  SimulatedLineNoteSeed,
  SimulatedLineThread,
  SimulatedNoteReplySeed,
} from './reviews/review-controls.ts';
export type { SimulatedAccessTokenSeed, SimulatedReference } from './seeds.ts';
export { startGitLabSimulator } from './start-gitlab-simulator.ts';
export type { SimulatedGitLabHappening } from './webhooks/happening.ts';

export type {
  CheckConclusion,
  CheckScript,
  SimulatedAnnotation,
  SimulatedCheck,
  SimulatedHead,
} from '../shared/ci-script.ts';
export type { SimulatedRequest } from '../shared/http/exchange.ts';
export type { SimulatedDelivery } from '../shared/webhook-delivery.ts';
export type { SimulatedApp, SimulatedAppSeed, SimulatedApps } from './apps/app-controls.ts';
export type { SimulatedCheckState, SimulatedCi } from './checks/ci-controls.ts';
export {
  type GitHubSimulator,
  type GitHubSimulatorOptions,
  gitHubFailureKinds,
  type SimulatedComment,
  type SimulatedFailure,
  type SimulatedThread,
} from './github-simulator.ts';
export type {
  SimulatedLineCommentSeed,
  SimulatedPlace,
  SimulatedReplySeed,
  SimulatedReviewSeed,
  SimulatedReviews,
  SimulatedReviewThread,
} from './reviews/review-controls.ts';
export type {
  SimulatedCommentSeed,
  SimulatedIssueSeed,
  SimulatedPullRequestSeed,
  SimulatedPushSeed,
  SimulatedRepositorySeed,
  SimulatedTokenSeed,
  SimulatedUserSeed,
} from './seeds.ts';
export { startGitHubSimulator } from './start-github-simulator.ts';
export type { RequiredChecks } from './state/check-model.ts';
export type {
  AccountHappening,
  CheckHappening,
  RepositoryHappening,
  ReviewHappening,
  SimulatedHappening,
} from './webhooks/happening.ts';

export type { SimulatedRequest } from '../shared/http/exchange.ts';
export type { SimulatedDelivery } from '../shared/webhook-delivery.ts';
export type {
  GitHubSimulator,
  GitHubSimulatorOptions,
  SimulatedComment,
  SimulatedFailure,
  SimulatedThread,
} from './github-simulator.ts';
export type {
  SimulatedCommentSeed,
  SimulatedIssueSeed,
  SimulatedPullRequestSeed,
  SimulatedRepositorySeed,
  SimulatedTokenSeed,
  SimulatedUserSeed,
} from './seeds.ts';
export { startGitHubSimulator } from './start-github-simulator.ts';
export type { SimulatedHappening } from './webhooks/happening.ts';

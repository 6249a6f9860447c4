export type {
  GitHubSimulator,
  GitHubSimulatorOptions,
  SimulatedComment,
  SimulatedFailure,
  SimulatedRequest,
  SimulatedThread,
} from './github/github-simulator.ts';
export type {
  SimulatedCommentSeed,
  SimulatedIssueSeed,
  SimulatedPullRequestSeed,
  SimulatedRepositorySeed,
  SimulatedTokenSeed,
  SimulatedUserSeed,
} from './github/seeds.ts';
export { startGitHubSimulator } from './github/start-github-simulator.ts';

export type {
  GitHubSimulator,
  GitHubSimulatorOptions,
  SimulatedComment,
  SimulatedCommentSeed,
  SimulatedFailure,
  SimulatedIssueSeed,
  SimulatedPullRequestSeed,
  SimulatedRepositorySeed,
  SimulatedRequest,
  SimulatedThread,
  SimulatedTokenSeed,
  SimulatedUserSeed,
} from './github/github-simulator.ts';
export { startGitHubSimulator } from './github/start-github-simulator.ts';

export type {
  GitHubSimulator,
  GitHubSimulatorOptions,
  SimulatedComment,
  SimulatedFailure,
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
export type {
  GitLabSimulator,
  GitLabSimulatorOptions,
  SimulatedGitLabThread,
  SimulatedNote,
} from './gitlab/gitlab-simulator.ts';
export type { SimulatedReference } from './gitlab/seeds.ts';
export { startGitLabSimulator } from './gitlab/start-gitlab-simulator.ts';
export type { SimulatedRequest } from './shared/http/exchange.ts';

// biome-ignore-all assist/source/organizeImports: merged, these lists would run down the page name by name
export type { GitHubSimulator, GitHubSimulatorOptions, SimulatedComment } from './github/github-simulator.ts';
export type { SimulatedFailure, SimulatedThread } from './github/github-simulator.ts';
export type { SimulatedCommentSeed, SimulatedIssueSeed, SimulatedPullRequestSeed } from './github/seeds.ts';
export type { SimulatedRepositorySeed, SimulatedTokenSeed, SimulatedUserSeed } from './github/seeds.ts';
export { startGitHubSimulator } from './github/start-github-simulator.ts';
export type { SimulatedHappening } from './github/webhooks/happening.ts';
export type { GitLabSimulator, GitLabSimulatorOptions } from './gitlab/gitlab-simulator.ts';
export type { SimulatedGitLabThread, SimulatedNote } from './gitlab/gitlab-simulator.ts';
export type { SimulatedReference } from './gitlab/seeds.ts';
export { startGitLabSimulator } from './gitlab/start-gitlab-simulator.ts';
export type { SimulatedGitLabHappening } from './gitlab/webhooks/happening.ts';
export type { SimulatedRequest } from './shared/http/exchange.ts';
export type { SimulatedDelivery } from './shared/webhook-delivery.ts';

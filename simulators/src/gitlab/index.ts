export type { SimulatedRequest } from '../shared/http/exchange.ts';
export type { SimulatedDelivery } from '../shared/webhook-delivery.ts';
export type {
  GitLabSimulator,
  GitLabSimulatorOptions,
  SimulatedGitLabThread,
  SimulatedNote,
} from './gitlab-simulator.ts';
export type { SimulatedReference } from './seeds.ts';
export { startGitLabSimulator } from './start-gitlab-simulator.ts';
export type { SimulatedGitLabHappening } from './webhooks/happening.ts';

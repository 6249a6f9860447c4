export { createGitHubOrigin } from './github-origin.ts';
export { createGitLabOrigin } from './gitlab-origin.ts';
export {
  type BodyBudget,
  type BodyBudgetOptions,
  createBodyBudget,
  createWebhookHandler,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from './webhook-handler.ts';
export type {
  Happening,
  ReadHeader,
  WebhookDelivery,
  WebhookEvent,
  WebhookOrigin,
} from './webhook-origin.ts';
export type { TaskSign, WebhookReceiverOptions } from './webhook-receiver.ts';
export { createWebhookReceiver, type WebhookAnswer, type WebhookReceiver } from './webhook-receiver.ts';

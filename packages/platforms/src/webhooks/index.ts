export { type BodyBudget, type BodyBudgetOptions, createBodyBudget } from './body-budget.ts';
export { createGitHubOrigin } from './github-origin.ts';
export { createGitLabOrigin } from './gitlab-origin.ts';
export type { Happening, WebhookEvent } from './webhook-event.ts';
export type { ReadHeader, WebhookDelivery, WebhookOrigin } from './webhook-origin.ts';
export type { WebhookReceiverOptions } from './webhook-receiver.ts';
export { createWebhookReceiver, type WebhookAnswer, type WebhookReceiver } from './webhook-receiver.ts';

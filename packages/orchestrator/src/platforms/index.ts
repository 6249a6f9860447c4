export { checkConfiguredSigning, type SigningSettings } from './configured-signing.ts';
export {
  connectConfiguredPlatforms,
  type PlatformSettings,
  toConnectOptions,
  type WorkspaceSettings,
} from './connect-configured-platforms.ts';
export { connectCustom } from './connect-custom.ts';
export {
  type CreateTaskLabelsOptions,
  createTaskLabels,
  type EnsuredLabels,
  type LabelsResult,
} from './create-task-labels.ts';
export { listPatternFindings } from './kept-places.ts';
export { type BuiltInName, builtInNames, findBuiltIn, type TriggerName, triggerNames } from './names.ts';
export { createPlaceBook, createPlaceReader, type PlaceBook } from './place-book.ts';
export { createPlaceSearch } from './place-search.ts';
export { listNames, pickPlace } from './place-settings.ts';
export type { ConnectedPlatform, ConnectOptions, MentionSettings, PlatformEntry } from './platform-entry.ts';
export { toRequestBudgets } from './request-budgets.ts';
export { createTrustBook, type TrustBook, type TrustSetting } from './resolve-trust.ts';
export { type BuiltInSection, type PlatformLabels, toTaskLabels } from './section.ts';
export {
  type CustomPlatformConfig,
  entryOf,
  listNamedPlatforms,
  type NamedPlatform,
  type PlatformSections,
  platformsSchema,
} from './table.ts';
export {
  listWebhookSettings,
  type OpenWebhooksOptions,
  openWebhooks,
  type WebhookRoute,
  type WebhookSetting,
  type WebhookSource,
  webhooksSchema,
  webhookVariableOf,
} from './webhooks.ts';

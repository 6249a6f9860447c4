export { readModelList } from '../chat-models.ts';
export type { CallSpending, SettleCall } from '../usage.ts';
export {
  type ConfiguredModel,
  createModel,
  type ModelEndpoint,
  type ModelSource,
  type TaskModel,
} from './create-model.ts';
export { type ExamineModelOptions, examineModel, type ModelFinding } from './examine-model.ts';
export {
  type FindCapabilitiesOptions,
  findCapabilities,
  type ModelCapabilities,
  minContextLength,
} from './find-capabilities.ts';
export { type MeasuredCall, type MeasureOptions, measureModel } from './measure-model.ts';
export { type MeterOptions, meterModel } from './meter-model.ts';
export {
  checkEndpoint,
  checkModelSettings,
  type EndpointSettings,
  endpointAddressOf,
  type LlmConfig,
  listEndpointAddresses,
  listKeyVariables,
  llmSchema,
  ModelSettingsError,
  type ModelTask,
} from './model-settings.ts';
export { type ModelPrice, modelPriceSchema } from './prices.ts';
export { type PromptCache, withPromptCache } from './prompt-cache.ts';
export { type FallbackOptions, FallbackOrder, withFallbacks } from './with-fallbacks.ts';

export { type ConfiguredModel, createModel, type ModelEndpoint, type ModelSource } from './create-model.ts';
export { type ExamineModelOptions, examineModel, type ModelFinding } from './examine-model.ts';
export {
  checkEndpoint,
  checkModelSettings,
  type EndpointSettings,
  endpointAddressOf,
  type LlmConfig,
  llmSchema,
  ModelSettingsError,
} from './model-settings.ts';

export type { AnswerSource, CallReport, OutputMode, Question, Reply } from './answers/answer-source.ts';
export {
  createStructuredOutput,
  type EndpointCapabilities,
  type StructuredOutput,
  type StructuredOutputOptions,
} from './answers/create-structured-output.ts';
export type { ShowComments, TextSource, WrapText } from './answers/prompt-options.ts';
export type { FittedPrompt, PromptSurroundings, PromptWindow } from './answers/prompt-window.ts';
export {
  type Assumption,
  type AssumptionDecision,
  AssumptionMaker,
  type AssumptionOptions,
  type AssumptionRequest,
  type InformationGap,
} from './assumption/assumption-maker.ts';
export type {
  CollectionRecord,
  CollectionResult,
  CollectionStatus,
} from './collection/collected-information.ts';
export {
  type CollectionTool,
  createReadOnlyTools,
  type ReadOnlyToolsOptions,
} from './collection/create-read-only-tools.ts';
export {
  type CollectionRun,
  type CollectorOptions,
  InformationCollector,
  type Sleep,
} from './collection/information-collector.ts';
export type {
  InformationCategory,
  InformationNeed,
  InformationNeeds,
} from './collection/information-needs.ts';
export {
  applyEnvironment,
  type Environment,
  type PrePlanningConfig,
  prePlanningConfigSchema,
} from './config.ts';
export { formatPlanningBlock, type PlanningBlockOptions } from './phase/format-planning-block.ts';
export type { PrePlanningHandOver, PrePlanningResult } from './phase/make-result.ts';
export type { CheckpointAnswer, PrePlanningRun } from './phase/phase-parts.ts';
export { PrePlanningManager, type PrePlanningOutcome } from './phase/pre-planning-manager.ts';
export {
  type NotificationOptions,
  type PrePlanningEvent,
  type PrePlanningOptions,
  toPrePlanningOptions,
} from './phase/pre-planning-options.ts';
export { type PrePlanningState, readPrePlanningState } from './phase/pre-planning-state.ts';
export {
  parseRejections,
  type RejectedAssumptions,
  type Rejection,
} from './phase/reject-assumptions.ts';
export type {
  DetailStore,
  PrePlanningRequest,
  ReadOnlyTools,
  RequestComment,
  ToolAnswer,
  ToolDescription,
} from './ports.ts';
export { PrePlanningError, type PrePlanningErrorCode } from './pre-planning-error.ts';
export {
  type AnalyzedRequest,
  RequestUnderstandingProcessor,
  type UnderstandingOptions,
} from './understanding/request-understanding-processor.ts';
export {
  isQuestion,
  type RequestUnderstanding,
  type UnderstandingAnswer,
  understandingSchema,
} from './understanding/understanding.ts';

export type { AnswerSource, CallReport, Question, Reply, Rung } from './answers/answer-source.ts';
// biome-ignore format: a list of names
export { type AnswerLadder, type AnswerLadderOptions, createAnswerLadder } from './answers/create-structured-output.ts';
export type { LadderKnowledge } from './answers/endpoint-capabilities.ts';
// biome-ignore format: a list of names
export { type AssumptionDecision, AssumptionMaker, type AssumptionOptions, type AssumptionRequest } from './assumption/assumption-maker.ts';
export { parseRejections, type Rejection } from './assumption/parse-rejections.ts';
// biome-ignore format: a list of names
export { type CollectionRun, type CollectorOptions, InformationCollector } from './collection/information-collector.ts';
export { applyEnvironment, type Environment } from './config/apply-environment.ts';
// biome-ignore format: a list of names
export { type PrePlanningConfig, planningConfigSchema, prePlanningConfigSchema } from './config/config.ts';
export { type JsonReading, type ReadingWay, readJsonAnswer } from './json/read-json-answer.ts';
// biome-ignore format: a list of names
export type { Assumption, CallOptions, CheckpointAnswer, CollectionRecord, CollectionResult, CollectionStatus, DetailStore, InformationCategory, InformationGap, InformationNeed, InformationNeeds, NotificationOptions, PrePlanningEvent, PrePlanningHandOver, PrePlanningRequest, PrePlanningResult, PrePlanningRun, PrePlanningState, ReadOnlyTools, RejectedAssumptions, RequestComment, RequestUnderstanding, Sleep, TextSource, ToolAnswer, ToolDescription, UnderstandingAnswer, WrapText } from './model.ts';
export { PrePlanningManager, type PrePlanningOutcome } from './phase/pre-planning-manager.ts';
export { type PrePlanningOptions, toPrePlanningOptions } from './phase/pre-planning-options.ts';
export { readPrePlanningState } from './phase/pre-planning-state.ts';
export { PrePlanningError, type PrePlanningErrorCode } from './pre-planning-error.ts';
export { formatPlanningBlock, type PlanningBlockOptions } from './result/format-planning-block.ts';
// biome-ignore format: a list of names
export { type CollectionTool, createReadOnlyTools, type ReadOnlyToolsOptions } from './tools/create-read-only-tools.ts';
// biome-ignore format: a list of names
export { type AnalyzedRequest, RequestUnderstandingProcessor, type UnderstandingOptions } from './understanding/request-understanding-processor.ts';
export { understandingSchema } from './understanding/understanding.ts';

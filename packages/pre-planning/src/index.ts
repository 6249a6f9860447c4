export type { AnswerSource, Question, Reply, Rung } from './answers/answer-source.ts';
export {
  type AnswerLadder,
  type AnswerLadderOptions,
  type CallReport,
  createAnswerLadder,
} from './answers/create-answer-ladder.ts';
export type { LadderKnowledge } from './answers/ladder-knowledge.ts';
export type { InformationGap } from './assumption/information-gap.ts';
export type { CollectionResult, CollectionStatus } from './collection/collected-information.ts';
export type {
  InformationCategory,
  InformationNeed,
  InformationNeeds,
} from './collection/information-needs.ts';
export type {
  CallOptions,
  DetailStore,
  Logger,
  ReadOnlyTools,
  ToolAnswer,
  ToolDescription,
} from './ports.ts';
export { PrePlanningError, type PrePlanningErrorCode } from './pre-planning-error.ts';
export type { Locale, PrePlanningRequest, RequestComment } from './pre-planning-request.ts';
export type { PrePlanningResult } from './result/pre-planning-result.ts';
export {
  type AnalyzedRequest,
  RequestUnderstandingProcessor,
  type UnderstandingOptions,
} from './understanding/request-understanding-processor.ts';
export {
  type RequestUnderstanding,
  type UnderstandingAnswer,
  understandingSchema,
} from './understanding/understanding.ts';

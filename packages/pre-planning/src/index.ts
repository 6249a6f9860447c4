export type { Assumption, CollectionResult, CollectionStatus } from './collected-information.ts';
export type { InformationCategory, InformationNeed, InformationNeeds } from './information-needs.ts';
export type {
  CallOptions,
  DetailStore,
  LanguageModelPort,
  PrePlanningOutcome,
  ReadOnlyTools,
  ToolAnswer,
} from './ports.ts';
export type { InformationGap, PrePlanningResult } from './pre-planning-result.ts';
export { type RequestUnderstanding, type UnderstandingAnswer, understandingSchema } from './understanding.ts';

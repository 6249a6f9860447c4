export type { Assumption } from './assumption/assumption.ts';
export type { InformationGap } from './assumption/information-gap.ts';
export type {
  CollectionRecord,
  CollectionResult,
  CollectionStatus,
} from './collection/collected-information.ts';
export type {
  InformationCategory,
  InformationNeed,
  InformationNeeds,
} from './collection/information-needs.ts';
export type { CheckpointAnswer, PrePlanningRun } from './phase/phase-parts.ts';
export type { PrePlanningEvent } from './phase/pre-planning-event.ts';
export type { NotificationOptions } from './phase/pre-planning-options.ts';
export type { PrePlanningState } from './phase/pre-planning-state.ts';
export type { RejectedAssumptions } from './phase/reject-assumptions.ts';
export type { CallOptions, DetailStore, ReadOnlyTools, ToolAnswer, ToolDescription } from './ports.ts';
export type { PrePlanningRequest, RequestComment } from './pre-planning-request.ts';
export type { TextSource, WrapText } from './prompts/prompt-options.ts';
export type { PrePlanningHandOver, PrePlanningResult } from './result/pre-planning-result.ts';
export type { Sleep } from './sleep-for.ts';
export type { RequestUnderstanding, UnderstandingAnswer } from './understanding/understanding.ts';

export { planningFactName } from '../model.ts';
export { readPlan, type UnclearGoal } from './answers/plan.ts';
export type { AnswerReading, BadAnswer } from './answers/read-answer.ts';
export { checkPlan, type PlanRules } from './check-plan.ts';
export {
  type FoundPlaceholders,
  findPlaceholders,
  type Placeholder,
  type PlaceholderKind,
} from './find-placeholders.ts';
export {
  formatActionsDone,
  formatApprovalQuestion,
  formatLoopModeNotice,
  formatQuestion,
  formatReplanNotice,
  formatStoppedPlan,
  formatVerificationNotice,
} from './format-notices.ts';
export {
  countProgress,
  formatChecklist,
  formatPlanHistory,
  type PlanWriting,
  type ToldPlan,
} from './format-plan.ts';
export type {
  ActionPlan,
  ActionState,
  CompletionAnswer,
  ExecutionAnswer,
  GoalUnderstanding,
  LoopModeReason,
  Plan,
  PlanChange,
  PlannedAction,
  PlanningFact,
  PlanningPhaseName,
  PlanRevision,
  ReflectionAnswer,
  ReflectionTrigger,
  ReplanCounts,
  ReplanDecision,
  ReplanNext,
  ReplanTarget,
  ReplanType,
  RevisionCause,
  Subtask,
  VerificationAnswer,
} from './model.ts';
export {
  PlanningCoordinator,
  type PlanningCoordinatorOptions,
  type PreviousPlanUse,
} from './planning-coordinator.ts';
export type { OpenQuestion, PlanningState, TaskProgress } from './planning-state.ts';
export { hashPlan, readPlanningState } from './planning-state.ts';
export type {
  ApprovalReading,
  ContinuablePlan,
  PeopleQuestion,
  PlannedTaskOptions,
  PlannedTaskResult,
  PlanningEvent,
  PlanningHistory,
  PlanningPeople,
  PlanSources,
} from './ports.ts';
export type { PlanningRequest, PrePlanningPhase, PrePlanningPhaseRun } from './pre-planning-phase.ts';
export { runPlannedTask } from './run-planned-task.ts';

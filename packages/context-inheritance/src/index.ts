export { type ContextInheritanceConfig, contextInheritanceConfigSchema } from './config-schema.ts';
export { ContextInheritanceManager, type InheritanceRequest } from './context-inheritance-manager.ts';
export {
  type ContextInheritanceOptions,
  toContextInheritanceOptions,
} from './context-inheritance-options.ts';
export {
  createSanitizer,
  type KnownPeople,
  type Sanitizer,
  type SanitizerOptions,
} from './create-sanitizer.ts';
export {
  type AnsweredDecision,
  type DecisionContext,
  type SourceText,
  threadSource,
  toKeyDecisions,
} from './decisions/answered-decision.ts';
export type { ReadTreeFile } from './decisions/check-evidence.ts';
export type {
  DecisionConflict,
  DecisionEvidence,
  DecisionSource,
  DecisionState,
  InheritedDecision,
  KeyDecision,
  RetractedDecision,
} from './decisions/decision.ts';
export { type DecisionLine, parseDecisionLines, toDecisionLine } from './decisions/decision-line.ts';
export {
  type DecidingRun,
  keepDecisions,
  type PresentState,
  type ResolvedDecisions,
  resolveDecisions,
} from './decisions/resolve-decisions.ts';
export type { FittedInheritance } from './fit-inheritance.ts';
export {
  formatHistory,
  formatInheritanceNotice,
  type HistoryItem,
  type HistoryOptions,
  type NoticeOptions,
} from './format-comments.ts';
export {
  type CommandText,
  findInheritanceCommands,
  type InheritanceCommands,
  parseInheritanceCommands,
} from './inheritance-commands.ts';
export {
  createPreviousRunReader,
  type PreviousLineBounds,
  type PreviousRecords,
} from './load-previous-contexts.ts';
export {
  type BeginOptions,
  createMemory,
  type Memory,
  type MemoryOptions,
  type RememberedRun,
} from './memory/create-memory.ts';
export type { InheritedMemory } from './memory/inherit-memory.ts';
export { MemoryError, type MemoryErrorCode } from './memory/memory-error.ts';
export type { DecisionInput, RunInput } from './memory/memory-input.ts';
export type { MemoryRun, StoredResults } from './memory/memory-run.ts';
export { createTransientStorage, type MemoryDocument, type MemoryStorage } from './memory/memory-storage.ts';
export type {
  ActionRecord,
  CurrentComments,
  InheritanceContext,
  InheritedKind,
  LastAction,
  PlannedSubtask,
  PlanRecord,
  PreviousContext,
  PreviousRun,
  PreviousRunStatus,
  ToolUse,
  VerificationHistory,
} from './model.ts';
export { parseToolHistory } from './parse-tool-history.ts';
export type { PlanAdvice } from './plan-advice.ts';
export type { PreviousLineKind, PreviousRunReader } from './ports.ts';
export { type FinalSummary, finalSummarySchema } from './summaries.ts';
export { decidePlanUse, type PlanUseFacts } from './to-plan-record.ts';

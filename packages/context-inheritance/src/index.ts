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
export { createPreviousRunReader, type PreviousRecords } from './load-previous-contexts.ts';
export type {
  ActionRecord,
  CurrentComments,
  InheritanceContext,
  InheritedDecision,
  InheritedKind,
  KeyDecision,
  LastAction,
  PlannedSubtask,
  PlanRecord,
  PreviousContext,
  PreviousRun,
  PreviousRunStatus,
  ThreadReference,
  ToolUse,
  VerificationHistory,
} from './model.ts';
export { parseToolHistory } from './parse-tool-history.ts';
export type { PlanAdvice } from './plan-advice.ts';
export type { IndexedTask, PreviousLineKind, PreviousRunReader } from './ports.ts';
export {
  type MemoryUsage,
  type RememberedWork,
  type RememberingRun,
  type RunWithMemoryOptions,
  runWithMemory,
} from './run-with-memory.ts';
export { type FinalSummary, finalSummarySchema, toKeyDecisionFields } from './summaries.ts';
export { decidePlanUse, type PlanUseFacts } from './to-plan-record.ts';

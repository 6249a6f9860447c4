export { type ContextInheritanceConfig, contextInheritanceConfigSchema } from './config-schema.ts';
export { ContextInheritanceManager, type InheritanceRequest } from './context-inheritance-manager.ts';
export {
  type ContextInheritanceOptions,
  toContextInheritanceOptions,
} from './context-inheritance-options.ts';
export { createSanitizer, type Sanitizer, type SanitizerOptions } from './create-sanitizer.ts';
export { decidePlanUse, type PlanUseFacts } from './decide-plan-use.ts';
export {
  createFilePreviousRunReader,
  type FilePreviousRunReaderOptions,
} from './file-previous-run-reader.ts';
export { type FinalSummary, finalSummarySchema, toKeyDecisionFields } from './final-summary.ts';
export type { FittedInheritance } from './fit-inheritance.ts';
export { formatHistory, type HistoryItem, type HistoryOptions } from './format-history.ts';
export { formatInheritanceNotice, type NoticeOptions } from './format-notice.ts';
export {
  type CommandText,
  findInheritanceCommands,
  type InheritanceCommands,
  parseInheritanceCommands,
} from './inheritance-commands.ts';
export type { KnownPeople } from './mask-people.ts';
export type {
  InheritanceContext,
  InheritedDecision,
  InheritedKind,
  KeyDecision,
  LastAction,
  PlanRecord,
  PreviousContext,
  PreviousRun,
  PreviousRunStatus,
  ThreadReference,
  ToolUse,
} from './model.ts';
export { parseToolHistory } from './parse-tool-history.ts';
export type { IndexedTask, PreviousRunReader } from './ports.ts';
export type { CurrentComments } from './split-stale-decisions.ts';

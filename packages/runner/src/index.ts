export type { CheckpointName, CheckpointVerdict, RunEvent } from './events.ts';
export { createMemoryRunJournal, type MemoryRunJournal } from './memory-run-journal.ts';
export type {
  JournalEntry,
  JournalEvent,
  RunOutcome,
  RunStatistics,
  RunSummary,
  RunTool,
  RunTools,
  TokenUsage,
} from './model.ts';
export type {
  CommentDelivery,
  CommentInbox,
  CommentReceipt,
  ContextCompressor,
  Logger,
  Redact,
  RunJournal,
  RunSignals,
} from './ports.ts';
export type { OpenedConversation, RunLimits, RunResult, RunTaskOptions } from './run-options.ts';
export { runTask } from './run-task.ts';

export type { CheckpointName, CheckpointVerdict, RunEvent } from './events.ts';
export type {
  JournalEntry,
  JournalEvent,
  OutcomeStatus,
  RunOutcome,
  RunStatistics,
  RunSummary,
  RunTool,
  RunTools,
  TokenUsage,
} from './model.ts';
export type {
  CallOptions,
  CommentDelivery,
  CommentInbox,
  CommentReceipt,
  ContextCompressor,
  Logger,
  Redact,
  RunJournal,
  RunSignals,
} from './ports.ts';
export { replayJournal } from './replay-journal.ts';
export type { OpenedConversation, RunLimits, RunResult, RunTaskOptions } from './run-options.ts';
export { runTask } from './run-task.ts';

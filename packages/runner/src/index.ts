export { removeReasoning as withoutThinking } from '@agent/text';
export { type AwaitModelOptions, awaitModel } from './await-model.ts';
export { type BoundedFetchOptions, boundFetch } from './call-limits.ts';
export type { NextStep } from './checkpoint.ts';
export {
  type ClassifyOptions,
  classifyModelError,
  type ModelFailure,
  type ModelFailureKind,
  overBudget,
} from './classify-model-error.ts';
export { type ContextCompressorOptions, createContextCompressor } from './context-compressor.ts';
export { type ExceededLimit, findExceededLimit } from './ending.ts';
export { type CallResult, readResult } from './fruitless-calls.ts';
export { createMemoryRunJournal, type MemoryRunJournal } from './memory-run-journal.ts';
export type {
  CheckpointName,
  CheckpointVerdict,
  JournalEntry,
  JournalEvent,
  JsonValue,
  OpeningCost,
  OutcomeStatus,
  ResultRoom,
  RunEvent,
  RunOutcome,
  RunStatistics,
  RunSummary,
  RunTool,
  RunTools,
  TaskTools,
  TokenUsage,
  ToolCallOptions,
  WaitsFor,
} from './model.ts';
export { ModelCircuit, type ModelCircuitOptions, type ModelCircuitState } from './model-circuit.ts';
export { type OwnLoop, type OwnLoopOptions, openLoop } from './open-loop.ts';
export type {
  CommentDelivery,
  CommentInbox,
  CommentReceipt,
  CompressibleContext,
  ContextCompressor,
  HideKnownSecrets,
  ModelAvailability,
  RunJournal,
  RunSignal,
  RunSignals,
  SpendingGauge,
} from './ports.ts';
export {
  type ReadStatisticsOptions,
  type RunRecordOptions,
  readConversation,
  readRunRecord,
  readStatistics,
} from './read-journal.ts';
export { requestSummary, type SummaryAnswer, type SummaryRequestOptions } from './request-summary.ts';
export type { OpenedConversation, RunLimits, RunResult, RunTaskOptions } from './run-options.ts';
export {
  type CheckIntervalOptions,
  combineSignals,
  RunInterruption,
  strongestSignal,
  withCheckInterval,
} from './run-signals.ts';
export { runTask } from './run-task.ts';
export { type DescribeFailureOptions, describeModelFailure } from './take-step.ts';
export { addUsage, nothingUsed, readUsage } from './usage.ts';
export {
  ContextWindow,
  type ContextWindowOptions,
  type FittedMessages,
  type FittedPrompt,
  type WindowParts,
} from './window/context-window.ts';

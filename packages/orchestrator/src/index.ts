export { createKnownRepositories, type KnownRepositories } from './admission/known-repositories.ts';
export {
  type AskDaemonOptions,
  type AskedDaemon,
  askDaemon,
  type DaemonView,
} from './board/ask-daemon.ts';
export type { BoardEvent, ObserveBoard, PreparationStage } from './board/board-event.ts';
export { type BoardState, emptyBoard, type RunningTask } from './board/board-state.ts';
export { filterRuns, type RunFilter } from './board/filter-runs.ts';
export { type FoundTask, findTask, isRunNamed, listUnfinished } from './board/find-task.ts';
export { type QueuedTask, toQueuedJson, withQueue } from './board/queued-tasks.ts';
export { type ReadServiceOptions, readServiceState } from './board/read-service-state.ts';
export {
  nameOfRun,
  type RunSummary,
  type TaskSummary,
  toEndedSummary,
  toPausedSummary,
  toRunJson,
  toRunSummaries,
} from './board/run-summary.ts';
export { reduceBoard, TaskBoard } from './board/task-board.ts';
export {
  type CommentFeeds,
  type ConnectPlatforms,
  countThreadRequests,
  createCommentFeeds,
  type PlatformConnection,
  type PlatformSetup,
} from './connection/connect-platforms.ts';
export { type DescribedWrite, describeWrite } from './connection/describe-write.ts';
export type { ObservedWrite, ReportedWrite, ReportWrite } from './connection/observed-write.ts';
export { Observer, type ObserverOptions } from './connection/observer.ts';
export { withOutgoingGate } from './connection/with-outgoing-gate.ts';
export {
  createOrchestrator,
  type Orchestrator,
} from './create-orchestrator.ts';
export { type AgentExamination, tryAgent } from './environment/try-agent.ts';
export { openReader, type ShownMessage } from './host/open-records.ts';
export {
  type OpenStorageOptions,
  openFileStorage,
  openPostgresStorage,
  type PostgresPlace,
  toRecordDirectories,
} from './host/open-storage.ts';
export type {
  Clock,
  ConfiguredModel,
  Environment,
  LoadModel,
  ModelEndpoint,
  RunDirectories,
  RunLogger,
} from './host/ports.ts';
export type { OrchestratorOptions, RunOptions } from './orchestrator-options.ts';
export {
  formatRecordedDecision,
  inheritedDecisionsName,
  parseInheritedDecisions,
} from './past/inherited-decisions.ts';
export { parseLineage, type RunLineage, toInheritanceJson } from './past/run-lineage.ts';
export { noCost } from './plan/metering.ts';
export type { PlanStage } from './plan/plan-stage.ts';
export { createPrePlanningFiles, readKeptPrePlanning } from './plan/pre-planning-files.ts';
export { listRetriable } from './queue/failed-runs.ts';
export { MemoryTaskQueue } from './queue/memory-task-queue.ts';
export type { IdleThread, OnlyThread } from './queue/one-thread.ts';
export { parseQueueEntry, sharedQueueRules } from './queue/open-work-queue.ts';
export { type QueueEntry, toQueuedTask, type WaitingEntry } from './queue/queue-entry.ts';
export type { WorkRole } from './queue/share-work.ts';
export { createPlaceReports } from './queue/tell-failures.ts';
export type { ConfiguredPlatform } from './run/run-thread.ts';
export type { OpenMcp } from './run-work.ts';
export type { ServeWork } from './serve-work.ts';
export { createBudgets, parseBudget, readThreadMoney, type ThreadMoney } from './spending/budgets.ts';
export { formatMoney } from './spending/format-money.ts';
export { type ConditionPart, isOutbox } from './state/condition.ts';
export type { HoldCause, HoldState } from './state/hold.ts';
export { describeNotice, describeProblem, type ProblemWords, toServiceJson } from './state/problem-words.ts';
export {
  deriveServiceState,
  findAway,
  isHold,
  type ServiceProblem,
  type ServiceState,
} from './state/service-state.ts';
export { noTelemetry, type RunTelemetry } from './telemetry/run-telemetry.ts';
export type { TrustPolicy } from './thread/trust.ts';
export { createKnownMcpTools, type KnownMcpTools } from './tools/known-mcp-tools.ts';
export { createAssignmentTrigger } from './triggers/assignment-trigger.ts';
export { createLabelTrigger, type TaskLabels } from './triggers/label-trigger.ts';
export { createListTrigger, type TaskList } from './triggers/list-trigger.ts';
export { createMentionStore, type MentionRecord, type MentionStore } from './triggers/mention-ledger.ts';
export { createMentionTrigger } from './triggers/mention-trigger.ts';
export type {
  HandoverEvent,
  NextState,
  ReadTask,
  TaskSigns,
  TaskState,
  TaskThread,
  TaskTrigger,
  TriggerTexts,
  WaitingThreads,
} from './triggers/task-trigger.ts';
export { describeFact } from './watch/timeline-entry.ts';

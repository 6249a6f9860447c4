export type { RunServices, Runs } from './assemble-runs.ts';
export type { ObserveBoard } from './board/board-event.ts';
export { type BoardState, emptyBoard, type RunningTask } from './board/board-state.ts';
export { checkDisk } from './board/check-disk.ts';
export type { ConditionPart } from './board/condition.ts';
export { concernsAll } from './board/condition.ts';
export type { Histogram } from './board/histogram.ts';
export { type KeptCondition, keepConditions, readConditions } from './board/keep-conditions.ts';
export type { PreparationStage } from './board/preparation-stage.ts';
export { reduceBoard } from './board/reduce-board.ts';
export { TaskBoard } from './board/task-board.ts';

export type { TrustPolicy } from './inbox/create-trust.ts';
export { createPausedListener } from './inbox/paused-listener.ts';
export { openReader, type ShownMessage } from './open-reader.ts';
export { openStore } from './open-store.ts';
export { parseMessage } from './parse-message.ts';
export { openRunIndex, type RunIndex } from './past/open-run-index.ts';
export { parseLineage, type RunLineage } from './past/run-lineage.ts';
export { toInheritanceJson } from './past/to-inheritance-json.ts';
export { createUpkeep, removeExpiredWork } from './past/upkeep.ts';
export type { ConfiguredModel, Environment, ModelEndpoint, RunLogger } from './ports.ts';
export { noCost } from './pre-plan/metering.ts';
export { readPrePlanningConfig } from './pre-plan/open-pre-planning.ts';
export { createPrePlanningFiles, readKeptPrePlanning } from './pre-plan/pre-planning-files.ts';
export { createTaskWorker, type LoadRuns, type TaskWorker } from './queue/create-task-worker.ts';
export { createFailedRuns, listRetriable } from './queue/failed-runs.ts';
export { type Hold, MemoryTaskQueue } from './queue/memory-task-queue.ts';
export { createPlaceReports } from './queue/place-reports.ts';
export { createRunRecovery } from './queue/run-recovery.ts';
export { runTasks } from './queue/run-tasks.ts';
export type { QueueEntry, TaskQueue, WorkOnEntry, WorkOptions, WorkResult } from './queue/task-queue.ts';
export { isTransient } from './run/call-with-retry.ts';
export { createHandoverRecords } from './run/handover-records.ts';
export type { ConfiguredPlatform } from './run/run.ts';
export type { ModelWatch } from './run/watch-model.ts';
export { withOutgoingGate } from './run/with-outgoing-gate.ts';
export { createLabelTrigger, type TaskLabels } from './triggers/label-trigger.ts';
export type {
  HandoverEvent,
  NextState,
  ReadTask,
  TaskSigns,
  TaskState,
  TaskThread,
  TaskTrigger,
  TriggerTexts,
} from './triggers/task-trigger.ts';

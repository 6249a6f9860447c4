export { ProblemLog } from '../board/problem-log.ts';
export { logEnd } from '../lifecycle/log-end.ts';
export { findWait, formatVitals, toShownState } from '../progress/vitals.ts';
export { Holds } from '../state/holds.ts';
export { type TaskQueueFixture, taskQueueCases, taskQueueContract } from './task-queue-contract.ts';
export { type TaskTriggerFixture, taskTriggerCases, taskTriggerContract } from './task-trigger-contract.ts';

export { type TaskQueueFixture, taskQueueCases, taskQueueContract } from './task-queue-contract.ts';
export { type TaskTriggerFixture, taskTriggerCases, taskTriggerContract } from './task-trigger-contract.ts';

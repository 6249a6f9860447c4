import type { CliTexts } from './texts.ts';

/** English. */
export const textsEn: CliTexts = {
  pausedAll: (file) =>
    `All tasks pause at their next step, and none begins, while this file exists:\n  ${file}\nTo go on: agent-daemon resume`,
  resumedAll: (file) =>
    `Removed ${file}. Tasks go on; those that were paused by name stay so until "agent-daemon resume TASK".`,
  nothingToResume: (file) =>
    `Nothing to undo: there is no ${file}. "agent-daemon resume TASK" lets a single task go on.`,
  asked: {
    pause: (task) => `${task} pauses at its next step. To go on: agent-daemon resume ${task}`,
    resume: (task) => `${task} goes on.`,
    retry: (task) => `${task} goes on from where it failed.`,
    stop: (task) => `${task} stops at its next step, for good. A new label begins a new task.`,
  },
  owned: ({ pid, host }) => `A daemon works here (process ${pid} on ${host}).`,
  notOwned: 'No daemon works here now; what is asked takes effect when one starts.',
  pauseIsOff: 'Pausing is switched off: set pause_resume.enabled to true in the configuration.',
  taskOrAll: 'Name a task or give --all, not both.',
  taskNeeded: 'Name the task to stop, or give --all.',
  nothingRuns: 'There is no task to stop.',
  unknownTask: (given) => `There is no task ${given}.`,
  ambiguousTask: (given) => `${given} could be more than one task. Give more of it.`,
  candidates: 'There are:',
  noCandidates: 'There are no tasks at all.',
  cannotBeRetried: (task, status) =>
    `${task} cannot be gone on from (${status}): that takes a last run that failed.`,
  hasEnded: (task, status) => `${task} has ended already (${status}).`,
  isRunning: (task) => `${task} is not paused: it is running.`,
  isPaused: (task) => `${task} is paused already.`,
  signalled: (file) => `Everything is paused while ${file} exists. "agent-daemon resume" removes it.`,
  headings: ['TASK', 'STATE', 'SINCE', 'ID', 'TITLE'],
  states: {
    running: 'running',
    waiting: 'waits for a start',
    paused: 'paused',
    completed: 'completed',
    failed: 'failed',
    stopped: 'stopped',
    ended: 'ended',
  },
  step: (step) => `step ${step}`,
  queued: (count, hold) =>
    `Waiting for their turn: ${count}${hold === null ? '' : ` (held back by ${hold.reason}, for ${hold.duration} at least)`}.`,
  notAsked: (reason) => `Steps and queue are not known: ${reason}.`,
  noneMatch: 'No task matches.',
  noRuns: 'No tasks yet.',
  damaged: (name, reason) => `Cannot be read: ${name}: ${reason}`,
  notWell: (part, { reason, since }) => `Not well: ${part} (since ${since}): ${reason}`,
  since: (duration) => `${duration} ago`,
  summaryOf: (from, to) => `summary of messages ${from} to ${to}`,
  delivered: (count) => (count === 1 ? 'brings 1 comment' : `brings ${count} comments`),
  tokens: (input, output) => `${input} tokens in, ${output} out`,
  toolStarted: 'began',
  prepared: (calls) =>
    calls === 0
      ? 'getting ready, not called'
      : `getting ready${calls === 1 ? '' : `, called ${calls} times`}`,
  notEnded: 'This run has not ended.',
  outcome: 'Outcome',
  statistics: ({ modelCalls, toolCalls, tokens, duration }) =>
    `${modelCalls} model calls, ${toolCalls} tool calls, ${tokens} tokens, ${duration}`,
};

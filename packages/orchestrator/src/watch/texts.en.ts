import type { WaitsFor } from '@agent/runner';

export const en = {
  /** Reasons why a run is paused. */
  waitsFor: {
    answer: 'Waiting for an answer to its question',
    approval: 'Waiting for its plan to be approved',
    'follow-up': 'Watching for reviews and checks',
    held: 'Waiting for permission to push held changes',
  } satisfies Readonly<Record<WaitsFor['kind'], string>>,
  heldChanges: (count: number) =>
    `Waiting for permission to push ${count} held ${count === 1 ? 'change' : 'changes'}`,
  until: (what: string, time: string) => `${what} until ${time}`,
  paused: 'Paused until it is resumed',
  pausedBy: (name: string) => `Paused by ${name} until it is resumed`,
  /** Comments on the issue or pull request about an action in the web UI. */
  acted: {
    resume: (name: string) => `▶️ ${name} resumed this task in the web UI.`,
    retry: (name: string) => `🔁 ${name} retried this task in the web UI.`,
    settle: (name: string) => `${name} discarded the pending updates of this task in the web UI.`,
    budget: (name: string) => `💰 ${name} set the budget of this task in the web UI.`,
  },
  refused: {
    unknown: 'This run does not exist.',
    ended: 'This run has already ended.',
    running: 'This run is still running.',
    paused: 'This run is already paused.',
    queued: 'This run is already queued.',
    notFailed: 'Only the latest run of an issue or pull request can be retried, and only if it failed.',
    settled: 'This run has no pending updates.',
    noAmount: 'Invalid amount.',
    noMoney: 'No model prices are configured, so costs are not tracked.',
    byThread: 'Plans are approved on the issue or pull request, with the comment /approve.',
  },
};

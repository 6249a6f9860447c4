import type { WaitsFor } from '@agent/runner';

export const en = {
  /** Reasons why a run is paused. */
  waitsFor: {
    answer: 'Waiting for an answer on the issue or pull request',
    approval: 'Waiting for approval of the plan',
    'follow-up': 'Watching its pull request',
  } satisfies Readonly<Record<WaitsFor['kind'], string>>,
  until: (time: string) => `until ${time}`,
  paused: 'Paused until it is resumed',
  queued: 'Queued',
  held: (reason: string) => `Waiting for ${reason}`,
  /** Comments about actions in the web UI. */
  acted: {
    resume: (name: string) => `▶️ ${name} resumed this task in the agent's web UI.`,
    retry: (name: string) => `🔁 ${name} retried this task in the agent's web UI.`,
    settle: (name: string) => `🗑️ ${name} discarded the pending updates of this task in the agent's web UI.`,
    budget: (name: string) => `💰 ${name} set the budget of this task in the agent's web UI.`,
  },
  refused: {
    unknown: 'There is no such run.',
    ended: 'The run has already finished.',
    running: 'The run is already running.',
    paused: 'The run is already paused.',
    notFailed: 'Only the latest run of an issue or pull request can be retried, and only if it failed.',
    settled: 'There are no pending updates.',
    noAmount: 'This is not a valid amount.',
    noMoney: 'No prices are configured, so costs are not counted.',
    byThread: 'To approve the plan, comment /approve on the issue or pull request.',
  },
};

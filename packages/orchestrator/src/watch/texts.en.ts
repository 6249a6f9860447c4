import type { WaitsFor } from '@agent/runner';

export const en = {
  /** Reasons for which a run is paused. */
  waitsFor: {
    answer: 'It waits for an answer on its thread.',
    approval: 'It waits for its plan to be approved.',
    'follow-up': 'It stays with its change request.',
  } satisfies Readonly<Record<WaitsFor['kind'], string>>,
  until: (time: string) => `until ${time}`,
  paused: 'It was paused, and goes on when somebody resumes it.',
  queued: 'It waits for its turn.',
  held: (reason: string) => `It waits for ${reason}.`,
  /** Words for the thread of a run about who acted on it from the page. */
  acted: {
    resume: (name: string) => `▶️ ${name} resumed this task from the page of the agent.`,
    retry: (name: string) => `🔁 ${name} had this task tried again from the page of the agent.`,
    settle: (name: string) =>
      `${name} gave up from the page of the agent what was still open of this task's end.`,
    budget: (name: string) => `💰 ${name} set the budget of this task from the page of the agent.`,
  },
  refused: {
    unknown: 'There is no such run.',
    ended: 'It has ended.',
    running: 'It is at work already.',
    paused: 'It is paused already.',
    notFailed: 'Only the last run of a thread can be tried again, and only where it failed.',
    settled: 'Nothing of its end is open.',
    noAmount: 'This is no amount.',
    noMoney: 'Nothing has a price here, so that nothing is counted.',
    byThread: 'A plan is approved on its thread: by a comment that says /approve.',
  },
};

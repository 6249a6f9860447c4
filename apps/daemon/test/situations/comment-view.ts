import { findWait, formatVitals, toShownState } from '@agent/orchestrator/testing';
import { now, type Situation, type SituationRecord } from './situation.ts';

type WaitFacts = Parameters<typeof findWait>[0];

/** What the process that had the run wrote in its status comment, by the record that it left; or why there is nothing to compare. */
const comments: Readonly<Record<SituationRecord, Partial<WaitFacts> | string>> = {
  none: 'A task that waits for its turn has no run, and so no status comment: its label shows that it is queued.',
  opened: { state: 'working' },
  paused: { state: 'paused' },
  approval: { state: 'paused', plan: { question: null, approval: { state: 'asked' } } as WaitFacts['plan'] },
  answer: {
    state: 'paused',
    plan: { question: { until: null }, approval: null } as unknown as WaitFacts['plan'],
  },
  held: { state: 'paused', held: 2 },
  'follow-up': { state: 'watching' },
  'pending updates': 'Its end is among the updates that the platform does not take.',
  failed: { state: 'ended' },
  partial: { state: 'ended' },
  stopped: { state: 'ended' },
  completed: { state: 'ended' },
};

/** State of the run and text of its status comment; or why there is nothing to compare. */
export type CommentView = { readonly state: string; readonly text: string } | { readonly why: string };

/** Reads what the status comment shows in a situation. Problems of the service that stop no run are no matter of a thread. */
export function readComment({ record = 'none', processes }: Situation): CommentView {
  const shown = comments[record];
  if (typeof shown === 'string') return { why: shown };
  const facts: WaitFacts = {
    ...{ state: 'working', plan: null, pulse: null, watchedUntil: null, held: 0 },
    ...shown,
  };
  // A process that shuts down says so; one that crashed leaves a comment that is corrected by the next.
  const state = facts.state === 'working' && processes.length === 0 ? 'interrupted' : facts.state;
  const wait = findWait({ ...facts, state });
  if (state === 'ended') return { state: 'ended', text: '' };
  const text = formatVitals(
    { state, use: null, cost: null, giver: null, wait, now },
    { locale: 'en', timeZone: 'UTC', currency: 'USD' },
  );
  return { state: toShownState(state, wait), text };
}

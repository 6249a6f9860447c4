import { outcomes } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import { LastOutcomes } from './last-outcomes.ts';

const end = (uuid: string, outcome: (typeof outcomes)[number] | null) =>
  ({ type: 'run-end', uuid, outcome }) as const;

describe('LastOutcomes', () => {
  it('is good for completed, answered and nothing to change alone [NX-415]', () => {
    const good = outcomes.filter((outcome) => {
      const last = new LastOutcomes();
      last.observe(end('1', outcome));
      return last.areGood;
    });
    expect(good).toEqual(['completed', 'answered', 'nothing_to_change']);
  });

  it('counts the last outcome of each run', () => {
    const last = new LastOutcomes();
    last.observe(end('1', 'needs_input'));
    last.observe(end('2', null));
    last.observe({ ...end('3', 'stopped'), hasWithdrawn: true });
    expect(last.areGood).toBe(false);
    last.observe(end('1', 'completed'));
    expect(last.areGood).toBe(true);
  });
});

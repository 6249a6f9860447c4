import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitStable } from './fit-stable.ts';
import { fitTurns } from './fit-turns.ts';
import { type ThreadTurn, TranscriptFormatter, toChatTurn } from './transcript-formatter.ts';

const write = (turns: readonly ThreadTurn[]) => new TranscriptFormatter().toTranscript(turns.map(toChatTurn));
const limits = { maxTurns: 40, maxSize: 3_000 };
const fit = (turns: readonly ThreadTurn[], isWhole = true) =>
  fitStable(turns.toReversed(), { ...limits, isWhole }).turns;

/** A thread whose ids and lengths come from a seed, oldest first. */
function threadOf(seed: number, lengths: readonly number[]): ThreadTurn[] {
  return lengths.map((length, index) => ({
    id: String(1_400_000_000_000_000_000n + BigInt(seed) * 7_919n + BigInt(index) * 90_000_000_001n),
    name: index % 2 === 0 ? 'alice' : null,
    text: 'x'.repeat(length),
  }));
}

const threads = fc
  .tuple(fc.nat(1_000_000), fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 200 }))
  .map(([seed, lengths]) => threadOf(seed, lengths));
const evenThread = threadOf(
  1,
  Array.from({ length: 1_000 }, () => 90),
);

describe('fitStable', () => {
  it('never exceeds the budget, and the newest turn survives [TC-T4] [D4] [D5]', () => {
    fc.assert(
      fc.property(threads, fc.boolean(), (turns, isWhole) => {
        const kept = fit(turns, isWhole);
        expect(write(kept).length).toBeLessThanOrEqual(limits.maxSize);
        expect(kept.length).toBeLessThanOrEqual(limits.maxTurns);
        expect(kept).toEqual(turns.slice(-kept.length));
      }),
    );
  });

  it('keeps a whole thread that fits', () => {
    expect(fit(evenThread.slice(0, 20))).toEqual(evenThread.slice(0, 20));
  });

  it('begins where it began before, until that no longer fits', () => {
    let starts = 0;
    let before: string | undefined;
    for (let length = 40; length <= evenThread.length; length += 1) {
      const thread = evenThread.slice(0, length);
      const start = fit(thread)[0]?.id;
      if (start === before) continue;
      starts += 1;
      const since = thread.slice(thread.findIndex(({ id }) => id === before));
      if (before !== undefined && starts > 2) expect(write(since).length).toBeGreaterThan(limits.maxSize);
      before = start;
    }
    // 970 turns; with each cut leaving 60 % of about 30 turns, one would come every 12.
    expect(starts).toBeLessThan(120);
    expect(starts).toBeGreaterThan(40);
  });

  it('leaves about 60 % of the budget after a cut, on average', () => {
    const left: number[] = [];
    let before: readonly ThreadTurn[] = [];
    for (let length = 60; length <= evenThread.length; length += 1) {
      const kept = fit(evenThread.slice(0, length));
      if (kept.length <= before.length) left.push(write(kept).length / limits.maxSize);
      before = kept;
    }
    const mean = left.reduce((sum, share) => sum + share, 0) / left.length;
    expect(mean).toBeGreaterThan(0.5);
    expect(mean).toBeLessThan(0.7);
  });

  it('finds the same beginning in another process that has read only a part of the thread', () => {
    for (let length = 100; length < 400; length += 1) {
      const whole = fit(evenThread.slice(0, length));
      expect(fit(evenThread.slice(length - 60, length), false)).toEqual(whole);
    }
  });

  it('falls back to what fits where turns are so few that none stands out', () => {
    const turns = threadOf(3, [2_000, 2_900]);
    expect(fit(turns)).toEqual(fitTurns(turns.toReversed(), limits).turns);
    expect(fit(threadOf(4, [5_000]))[0]?.text.startsWith('...xxx')).toBe(true);
    expect(fit([])).toEqual([]);
  });
});

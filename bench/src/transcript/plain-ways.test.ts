import { ThreadContextBuilder, TranscriptFormatter } from '@agent/thread-context';
import { describe, expect, it } from 'vitest';
import { extrapolateNaive, sumDrops, toLines, trimByRunningSum, trimNaively } from './plain-ways.ts';
import { botUserId, limits, makeHistory, toReader } from './sample-history.ts';

describe('the plain ways', () => {
  it('give the transcript that the library gives', async () => {
    for (const count of [1, 60, 200, 700]) {
      const history = makeHistory(count);
      const turns = await new ThreadContextBuilder(limits).build(toReader(history), botUserId);
      const ours = new TranscriptFormatter().toTranscript(turns);
      const lines = await toLines(history);
      expect(lines).toHaveLength(count);
      expect(trimNaively(lines), `${count}`).toBe(ours);
      expect(trimByRunningSum(lines), `${count}`).toBe(ours);
    }
  });

  it('are extrapolated by what is left at each drop', async () => {
    // 10 + 9 + … + 3 of ten, as a trapezium.
    expect(sumDrops(10, { count: 10, kept: 2 })).toBe(48);
    const measure = async (work: () => void) => {
      work();
      return 6;
    };
    const lines = await toLines(makeHistory(1_000));
    expect(await extrapolateNaive(lines, { kept: 0, drops: 3, measure })).toBe(1_000);
  });
});

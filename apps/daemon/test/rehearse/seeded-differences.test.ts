// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalBed, startRehearsalBed } from './rehearsal-bed.ts';
import { seededDifferences } from './seeded-differences.ts';

let bed: RehearsalBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

/** Shorter than those of a rehearsal that passes: a failure takes this long. */
const patience = { platformMs: 20_000, startMs: 180_000, modelMs: 60_000, intervalMs: 50, freshMs: 2_000 };

describe('agent-daemon rehearse', () => {
  it.each(seededDifferences)('finds that $name ($forge)', { timeout: 480_000 }, async (seeded) => {
    const { check, says, forge, prepare } = seeded;
    bed = await startRehearsalBed({ forge, ...seeded.bed });
    await prepare?.(bed);
    const ended = new AbortController();
    const { output } = await bed.rehearse(
      {},
      {
        patience,
        signal: ended.signal,
        // The rest of the story shows nothing more.
        onResult: ({ name }) => (name === check ? ended.abort(new Error('found')) : undefined),
      },
    );
    const found = bed.checkOf(check);
    expect(found?.status, output).toBe('failed');
    expect(`${found?.text} ${found?.fix} ${found?.url}`, output).toMatch(says);
    const others = bed.checks.filter(
      ({ name, status }) => name !== check && name !== 'clean-up' && status === 'failed',
    );
    expect(others, output).toEqual([]);
    expect(await bed.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
  });
});

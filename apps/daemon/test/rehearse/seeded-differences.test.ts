// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';
import { seededDifferences } from './seeded-differences.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

/** Shorter than those of a rehearsal that passes: a failure takes this long. */
const waitLimits = {
  ...{ platformMs: 20_000, startMs: 180_000, modelMs: 60_000 },
  ...{ intervalMs: 50, freshMs: 2_000, stopMs: 20_000 },
};

describe('agent-daemon rehearse', () => {
  it.each(seededDifferences)('finds that $name ($forge)', { timeout: 480_000 }, async (seeded) => {
    const { check, says, forge, prepare } = seeded;
    fixture = await startRehearsalFixture({ forge, ...seeded.fixture });
    await prepare?.(fixture);
    const ended = new AbortController();
    const { output } = await fixture.rehearse(
      {},
      {
        waitLimits,
        signal: ended.signal,
        // The rest of the story shows nothing more.
        onResult: ({ name }) => (name === check ? ended.abort(new Error('found')) : undefined),
      },
    );
    const found = fixture.checkOf(check);
    expect(found?.status, output).toBe('failed');
    expect(`${found?.text} ${found?.fix} ${found?.url}`, output).toMatch(says);
    const others = fixture.checks.filter(
      ({ name, status }) => name !== check && name !== 'clean-up' && status === 'failed',
    );
    expect(others, output).toEqual([]);
    expect(await fixture.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
  });
});

// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';
import { seededDifferences } from './seeded-differences.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

describe('agent-discord rehearse', () => {
  it.each(seededDifferences)(
    'finds $name by the check "$failed" alone',
    { timeout: 180_000 },
    async ({ failed, text, platformMs = 60_000, modelMs = 60_000, ...difference }) => {
      const { environment, handle, seed, onConfirm } = difference;
      const opened = await startRehearsalFixture({ environment, handle });
      fixture = opened;
      seed?.(opened);
      const confirm = async () => {
        onConfirm?.(opened);
        return true;
      };
      const waitLimits = {
        ...{ platformMs, startMs: 60_000, modelMs, stepMs: 60_000 },
        ...{ intervalMs: 50, freshMs: 2_000 },
      };
      const { code, output } = await fixture.rehearse({}, { waitLimits, confirm });
      expect(fixture.listNames('failed'), output).toEqual([failed]);
      expect(fixture.checkOf(failed)?.text).toContain(text);
      expect(fixture.checkOf(failed)?.fix).not.toBeNull();
      expect(code).toBe(1);
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexedRun } from '../testing/index-setup.ts';
import { addRuns } from './indexed-run.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const toUuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const runs = fc.uniqueArray(
  fc.record({ number: fc.nat(200), minute: fc.option(fc.nat(90)), host: fc.constantFrom('a', 'b') }),
  { selector: ({ number }) => number, maxLength: 70 },
);

describe('addRuns', () => {
  it('keeps the 50 newest, newest first, in whatever order they come, however often [CI-23, CI-61]', () => {
    fc.assert(
      fc.property(runs, fc.func(fc.nat()), (described, chance) => {
        const list = described.map(({ number, minute, host }) =>
          indexedRun({ uuid: toUuid(number), host, completedAt: minute === null ? null : at(minute) }),
        );
        const shuffled = [...list, ...list].toSorted((a, b) => chance(a.uuid) - chance(b.uuid));
        const one = shuffled.reduce(
          (known, run) => addRuns(known, [run]),
          addRuns([], [indexedRun({ uuid: toUuid(999), completedAt: at(0) })]),
        );
        const other = addRuns([indexedRun({ uuid: toUuid(999), completedAt: at(0) })], list);
        expect(one).toEqual(other);
        expect(one.length).toBe(Math.min(50, list.length + 1));
        const moments = one.map(({ completedAt }) => Date.parse(completedAt ?? '1970-01-01'));
        expect(moments).toEqual(moments.toSorted((a, b) => b - a));
        const kept = new Set(one.map(({ uuid }) => uuid));
        const oldest = moments.at(-1) ?? 0;
        for (const { uuid, completedAt } of list) {
          if (!kept.has(uuid)) expect(Date.parse(completedAt ?? '1970-01-01')).toBeLessThanOrEqual(oldest);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the final summary of the newest run of a host only, and no overlong one [CI-61]', () => {
    const [older, newer] = [indexedRun({ completedAt: at(1) }), indexedRun({ completedAt: at(2) })];
    const elsewhere = indexedRun({ completedAt: at(0), host: 'b' });
    const merged = addRuns([], [newer, older, elsewhere]);
    expect(merged.map(({ finalSummary }) => finalSummary?.summary ?? null)).toEqual([
      'Fixed.',
      null,
      'Fixed.',
    ]);
    const long = indexedRun({ finalSummary: { summary: 'x'.repeat(70_000) } });
    expect(addRuns([], [long])[0]?.finalSummary).toBe(null);
  });

  it('puts a run whose end is unknown last [CI-23]', () => {
    const unknown = indexedRun({ completedAt: null, createdAt: at(80) });
    expect(addRuns([], [unknown, indexedRun({ completedAt: at(1) })]).at(-1)).toMatchObject({
      uuid: unknown.uuid,
    });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitTurns, toThreadLimits } from './fit-turns.ts';
import { type ThreadTurn, TranscriptFormatter, toChatTurn } from './transcript-formatter.ts';

const turnsOf = (texts: readonly string[]): ThreadTurn[] =>
  texts.map((text, index) => ({ id: String(index), name: index % 3 === 2 ? null : 'alice', text }));
const write = (turns: readonly ThreadTurn[]) => new TranscriptFormatter().toTranscript(turns.map(toChatTurn));
const fit = (turns: readonly ThreadTurn[], limits: { maxTurns?: number; maxSize?: number }) =>
  fitTurns(turns.toReversed(), { maxTurns: 200, maxSize: 20_000, ...limits }).turns;

/** What the fitting means, without its one pass: drop the oldest until the rest fits. */
function dropOldest(
  turns: readonly ThreadTurn[],
  { maxTurns, maxSize }: { maxTurns: number; maxSize: number },
) {
  let rest = [...turns];
  while (rest.length > 1 && (rest.length > maxTurns || write(rest).length > maxSize)) rest = rest.slice(1);
  return rest;
}

const text = fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom('a', '\n', ' ', '漢', '👍') });
const conversation = fc.array(text, { minLength: 1, maxLength: 30 }).map(turnsOf);

describe('fitTurns', () => {
  it('keeps a transcript that has just so many characters, and drops one turn for one more [TC-41] [TC-T11] [D4]', () => {
    const turns = turnsOf(['one', 'two\nlines', 'three']);
    const exact = write(turns).length;
    expect(fit(turns, { maxSize: exact })).toEqual(turns);
    expect(fit(turns, { maxSize: exact - 1 })).toEqual(turns.slice(1));
  });

  it('keeps just so many turns and drops the oldest of one more [TC-40] [TC-T12] [D4]', () => {
    const turns = turnsOf(Array.from({ length: 201 }, (_, index) => `m${index}`));
    expect(fit(turns.slice(1), {})).toEqual(turns.slice(1));
    expect(fit(turns, {})).toEqual(turns.slice(1));
    expect(fit(turns, { maxTurns: 1 })).toEqual(turns.slice(200));
  });

  it('drops the oldest and keeps the recent without a gap [TC-7] [TC-18] [TC-49] [TC-A4] [TC-T4] [D1]', () => {
    fc.assert(
      fc.property(
        conversation,
        fc.integer({ min: 70, max: 600 }),
        fc.integer({ min: 1, max: 31 }),
        (turns, maxSize, maxTurns) => {
          fc.pre(write(turns.slice(-1)).length <= maxSize);
          expect(fit(turns, { maxSize, maxTurns })).toEqual(dropOldest(turns, { maxSize, maxTurns }));
        },
      ),
    );
  });

  it('never exceeds the budget, and the newest turn survives [TC-T4] [D4] [D5]', () => {
    fc.assert(
      fc.property(conversation, fc.integer({ min: 14, max: 300 }), (turns, maxSize) => {
        const kept = fit(turns, { maxSize });
        expect(write(kept).length).toBeLessThanOrEqual(maxSize);
        expect(kept.at(-1)?.id).toBe(turns.at(-1)?.id);
        expect(kept.at(-1)?.text).not.toBe('');
      }),
    );
  });

  it('lets an older turn that is too long displace no newer one [D5]', () => {
    const turns = turnsOf(['first', 'x'.repeat(500), 'last']);
    expect(fit(turns, { maxSize: 100 })).toEqual(turns.slice(2));
  });

  it('asks for no more turns than it can keep, and for one more than fits', () => {
    let asked = 0;
    function* endless(): Generator<ThreadTurn> {
      for (;;) {
        asked += 1;
        yield { id: String(asked), name: null, text: 'x'.repeat(88) };
      }
    }
    expect(fitTurns(endless(), { maxTurns: 5, maxSize: 20_000 }).wantsOlder).toBe(false);
    expect(asked).toBe(5);
    asked = 0;
    expect(fitTurns(endless(), { maxTurns: 200, maxSize: 1_000 }).turns).toHaveLength(10);
    expect(asked).toBe(11);
  });
});

describe('limits in tokens', () => {
  const text = fc.string({ maxLength: 120, unit: fc.constantFrom('a', 'b', ' ', '\n', '界', '`') });
  const turns = fc.array(fc.record({ name: fc.constantFrom(null, 'alice'), text }), {
    minLength: 1,
    maxLength: 12,
  });
  const countTokens = (given: string) => Math.ceil(new TextEncoder().encode(given).length / 3);
  const tokensOf = (kept: readonly ThreadTurn[]) =>
    kept.reduce((sum, turn, index) => sum + countTokens(write([turn])) + (index === 0 ? 0 : 1), 0);

  it('hold for any conversation, beside a limit in characters, and keep the newest turn', () => {
    const sizes = fc.record({
      maxTranscriptTokens: fc.integer({ min: 20, max: 120 }),
      maxTranscriptChars: fc.option(fc.integer({ min: 14, max: 200 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(turns, sizes, (given, options) => {
        const all = given.map((turn, index) => ({ id: String(index), ...turn }));
        const limits = toThreadLimits({ ...options, countTokens });
        const kept = fitTurns(all.toReversed(), limits).turns;
        expect(kept.at(-1)?.id).toBe(all.at(-1)?.id);
        expect(tokensOf(kept)).toBeLessThanOrEqual(options.maxTranscriptTokens);
        if (options.maxTranscriptChars !== undefined)
          expect(write(kept).length).toBeLessThanOrEqual(options.maxTranscriptChars);
      }),
    );
  });

  it('are inclusive, and replace the default in characters', () => {
    const long = { id: '1', name: null, text: 'x'.repeat(30_000) };
    const last = { id: '2', name: null, text: 'y' };
    const exact = tokensOf([long, last]);
    const fit = (maxTranscriptTokens: number) =>
      fitTurns([last, long], toThreadLimits({ maxTranscriptTokens, countTokens })).turns;
    expect(fit(exact)).toEqual([long, last]);
    expect(fit(exact - 1)).toEqual([last]);
  });
});

describe('toThreadLimits', () => {
  it("has the seed's limits unless told otherwise [TC-40] [TC-41]", () => {
    expect(toThreadLimits({})).toEqual({ maxTurns: 200, maxSize: 20_000 });
    expect(toThreadLimits({ maxMessages: 1, maxTranscriptChars: 14 })).toEqual({ maxTurns: 1, maxSize: 14 });
  });
});

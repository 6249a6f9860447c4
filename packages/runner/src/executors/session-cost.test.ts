import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PromptsUnderWay, readPromptUsage } from './prompts-under-way.ts';
import { SessionCost } from './session-cost.ts';

const usd = (amount: unknown) => ({ amount, currency: 'USD' });

function open(knownMicros = 0): SessionCost {
  return new SessionCost({ knownMicros, currency: 'USD' });
}

describe('SessionCost', () => {
  it.each([
    ...[Number.NaN, -1, Number.POSITIVE_INFINITY, 1e300, 1_000_001, '1', null, {}, undefined].map(usd),
    ...[null, undefined, 7, {}, { amount: 1 }, { amount: 1, currency: 'EUR' }, { amount: 1, currency: 7 }],
  ])('is told nothing by what can be no cost: %j [NX-286]', (cost) => {
    const session = open();
    expect(session.take(cost)).toBeNull();
    expect(session.take(usd(0.5))).toBe(500_000);
  });

  it('knows its currency by any letters, and takes each where none is set [NX-286]', () => {
    expect(open().take({ amount: 1, currency: 'usd' })).toBe(1_000_000);
    expect(new SessionCost({ knownMicros: 0, currency: null }).take({ amount: 1, currency: 'EUR' })).toBe(
      1_000_000,
    );
  });

  it('goes on from what is known, or from nothing, as the first word of a process tells [NX-286]', () => {
    expect(open(20_000).take(usd(0.03))).toBe(10_000);
    const begins = open(20_000);
    expect(begins.take(usd(0.01))).toBe(10_000);
    expect(begins.take(usd(0.025))).toBe(15_000);
  });

  it('adds up to the highest sum that was told, whatever is told twice, late or backwards [NX-286]', () => {
    const told = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(-3, 2e12, Number.NaN));
    fc.assert(
      fc.property(fc.array(told), (all) => {
        const session = open();
        const added = all.map((micros) => session.take(usd(micros / 1_000_000)) ?? 0);
        expect(added.every((micros) => micros >= 0)).toBe(true);
        const sane = all.filter((micros) => micros >= 0 && micros <= 100_000);
        expect(added.reduce((sum, micros) => sum + micros, 0)).toBe(Math.max(0, ...sane));
      }),
    );
  });
});

describe('tokens of a turn', () => {
  it.each([Number.NaN, -5, 1.5, 1e300, Number.POSITIVE_INFINITY, '7', null, undefined])(
    'are none where the number can be none: %j [NX-286]',
    (count) => {
      const usage = { inputTokens: count, outputTokens: 5, cachedReadTokens: count };
      expect(readPromptUsage({ usage })).toEqual({ inputTokens: 0, outputTokens: 5 });
    },
  );

  it('are counted once, however many prompts joined it [NX-286]', async () => {
    const ends: unknown[] = [];
    const prompts = new PromptsUnderWay((end) => ends.push(end));
    const answer = {
      stopReason: 'end_turn',
      usage: { inputTokens: 10, outputTokens: 2, cachedReadTokens: 0 },
    };
    const first = Promise.withResolvers<unknown>();
    const followed = [prompts.follow(first.promise), prompts.follow(Promise.resolve(answer))];
    first.resolve(answer);
    await Promise.all(followed);
    expect(ends).toEqual([
      [
        { type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } },
        { type: 'end', reason: 'done' },
      ],
    ]);
  });
});

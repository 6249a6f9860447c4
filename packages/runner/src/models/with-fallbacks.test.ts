import { APICallError, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { overBudget } from '../classify-model-error.ts';
import { FallbackOrder, withFallbacks } from './with-fallbacks.ts';

const answer = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
});

const failing = (statusCode: number) =>
  new APICallError({ message: 'no', url: 'http://127.0.0.1/v1', requestBodyValues: {}, statusCode });

/** Two models, the first of which does as it is told; each `ask` says which one answered. */
function setUp() {
  let time = 0;
  let failure: Error | null = null;
  const changes: number[] = [];
  const first = new MockLanguageModelV4({
    doGenerate: async () => {
      if (failure !== null) throw failure;
      return answer('first');
    },
  });
  const second = new MockLanguageModelV4({ doGenerate: async () => answer('second') });
  const order = new FallbackOrder({ count: 2, now: () => time, onChange: (place) => changes.push(place) });
  const model = withFallbacks([first, second], order);
  const ask = async () => {
    const asked = generateText({ model, prompt: 'Hi', maxRetries: 0 });
    return asked.then(
      ({ text }) => text,
      () => 'failed',
    );
  };
  const fail = (error: Error | null) => {
    failure = error;
  };
  const pass = (ms: number) => {
    time += ms;
  };
  return { ask, fail, pass, changes, first };
}

describe('withFallbacks', () => {
  it('asks the next model at once where one refuses for good, and after three failures in a row that may pass [NX-199]', async () => {
    const { ask, fail, changes } = setUp();
    expect(await ask()).toBe('first');
    fail(failing(401));
    expect(await ask()).toBe('second');
    const passing = setUp();
    passing.fail(failing(503));
    expect([await passing.ask(), await passing.ask(), await passing.ask(), await passing.ask()]).toEqual([
      'failed',
      'failed',
      'second',
      'second',
    ]);
    expect(passing.first.doGenerateCalls).toHaveLength(3);
    expect([changes, passing.changes]).toEqual([[1], [1]]);
  });

  it('goes back to the first one after five minutes', async () => {
    const { ask, fail, pass } = setUp();
    fail(failing(401));
    expect(await ask()).toBe('second');
    fail(null);
    pass(299_000);
    expect(await ask()).toBe('second');
    pass(1_000);
    expect(await ask()).toBe('first');
  });

  it('gives a call that may not be paid for, or is too long, to no other model', async () => {
    const { ask, fail, changes } = setUp();
    fail(overBudget('1 USD for this run'));
    expect(await ask()).toBe('failed');
    expect(changes).toEqual([]);
  });
});

import { APICallError, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { type MeasuredCall, measureModel } from './measure-model.ts';

const answer = {
  content: [{ type: 'text' as const, text: 'Four.' }],
  finishReason: { unified: 'stop' as const, raw: 'stop' },
  usage: {
    inputTokens: { total: 1_000, noCache: 300, cacheRead: 600, cacheWrite: 100 },
    outputTokens: { total: 50, text: 20, reasoning: 30 },
  },
  warnings: [],
};

/** A measured model whose provider takes 250 ms for this. */
function setUp(doGenerate: () => Promise<typeof answer>) {
  const calls: MeasuredCall[] = [];
  let time = 0;
  const model = new MockLanguageModelV4({
    doGenerate: () => {
      time += 250;
      return doGenerate();
    },
  });
  const measured = measureModel(model, { onCall: (call) => calls.push(call), now: () => time });
  const ask = (abortSignal?: AbortSignal) =>
    generateText({
      model: measured,
      prompt: 'Two and two?',
      maxRetries: 0,
      ...(abortSignal === undefined ? {} : { abortSignal }),
    });
  return { ask, calls };
}

it('tells of each request to a model once, how long it took and what was counted [NX-406]', async () => {
  const { ask, calls } = setUp(async () => answer);
  expect((await ask()).text).toBe('Four.');
  expect(calls).toEqual([{ durationMs: 250, inputTokens: 1_000, outputTokens: 50, failure: null }]);
});

it('tells of a request that failed by the kind of its failure, and lets it fail [NX-406]', async () => {
  const { ask, calls } = setUp(async () => {
    throw new APICallError({ message: 'no', url: 'http://x', requestBodyValues: {}, statusCode: 401 });
  });
  await expect(ask()).rejects.toThrow('no');
  expect(calls).toEqual([
    { durationMs: 250, inputTokens: null, outputTokens: null, failure: 'unauthorized' },
  ]);
});

it('tells a request that nobody waited for from one that took too long [NX-406]', async () => {
  for (const [reason, failure] of [
    [new DOMException('ended', 'AbortError'), 'aborted'],
    [new DOMException('late', 'TimeoutError'), 'timeout'],
  ] as const) {
    const controller = new AbortController();
    const { ask, calls } = setUp(async () => {
      controller.abort(reason);
      throw reason;
    });
    await expect(ask(controller.signal)).rejects.toThrow();
    expect(calls.map((call) => call.failure)).toEqual([failure]);
  }
});

import { APICallError, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { watchModel } from './watch-model.ts';

function setUp(statusCode: number | undefined) {
  let time = 0;
  const watch = watchModel({
    once: false,
    stepTimeoutMs: 1_000,
    observe: () => undefined,
    logger: pino({ level: 'silent' }),
    locale: 'en',
    hideKnownSecrets: (text) => text,
    onReturn: () => undefined,
    onGivenUp: () => undefined,
    now: () => time,
  });
  const doGenerate = () => {
    const call = { message: 'no', url: 'http://127.0.0.1/v1', requestBodyValues: {} };
    throw new APICallError(statusCode === undefined ? call : { ...call, statusCode });
  };
  const model = watch.circuit.watch(new MockLanguageModelV4({ doGenerate }));
  const fail = () => generateText({ model, prompt: 'x', maxRetries: 0 }).catch(() => undefined);
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { watch, fail, pass };
}

describe('while the model does not answer', () => {
  it.each([undefined, 401, 500])(
    'no task begins but one alone, to try it (HTTP %s) [NX-41, NX-42]',
    async (status) => {
      const { watch, fail, pass } = setUp(status);
      for (let times = 0; times < 3; times += 1) await fail();
      expect(watch.holdMs(0)).toBeGreaterThan(0);
      pass(700_000);
      expect(watch.holdMs(0)).toBe(0);
      expect(watch.holdMs(1)).toBeGreaterThan(0);
    },
  );
});

import { APICallError, generateText, streamText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { overBudget } from '../classify-model-error.ts';
import { readUsage } from '../usage.ts';
import { meterModel } from './meter-model.ts';
import { modelPriceSchema, toMostMicros } from './prices.ts';

const price = modelPriceSchema.parse({
  input: 2,
  cached_input: 0.2,
  cache_write: 2.5,
  output: 8,
  reasoning: 10,
  max_output_tokens: 100,
});

const answer = {
  content: [{ type: 'text' as const, text: 'Four.' }],
  finishReason: { unified: 'stop' as const, raw: 'stop' },
  usage: {
    inputTokens: { total: 1_000, noCache: 300, cacheRead: 600, cacheWrite: 100 },
    outputTokens: { total: 50, text: 20, reasoning: 30 },
  },
  warnings: [],
};

/** A metered model whose provider does this, and what was reserved and settled. */
function setUp(doGenerate: () => Promise<typeof answer> = async () => answer) {
  const model = new MockLanguageModelV4({ doGenerate });
  const [reserved, settled]: [number[], object[]] = [[], []];
  const spending = {
    reserve: async (micros: number) => {
      reserved.push(micros);
      return async (cost: object) => void settled.push(cost);
    },
  };
  const metered = meterModel(model, { price, spending });
  const ask = () => generateText({ model: metered, prompt: 'Two and two?', maxRetries: 0 });
  return { model, metered, ask, reserved, settled };
}

function toCallError(fields: { readonly statusCode?: number; readonly code?: string }) {
  const { statusCode, code } = fields;
  const cause = code === undefined ? undefined : Object.assign(new Error(code), { code });
  const given = { message: 'no', url: 'http://127.0.0.1/v1', requestBodyValues: {}, cause };
  return new APICallError({ ...given, ...(statusCode === undefined ? {} : { statusCode }) });
}

describe('meterModel', () => {
  it('reserves the most that a call can cost, and settles it by its tokens of each kind [NX-197]', async () => {
    const { ask, model, reserved, settled } = setUp();
    const usage = readUsage(await ask());
    const costMicros = 300 * 2 + 600 * 0.2 + 100 * 2.5 + 20 * 8 + 30 * 10;
    expect(settled).toEqual([{ micros: costMicros, isPresumed: false }]);
    expect(usage).toEqual({
      inputTokens: 1_000,
      outputTokens: 50,
      cachedInputTokens: 600,
      reasoningTokens: 30,
      costMicros,
    });
    expect(model.doGenerateCalls[0]?.maxOutputTokens).toBe(100);
    const [most = 0] = reserved;
    expect(most).toBeGreaterThan(toMostMicros(200, price));
    expect(most).toBeLessThan(toMostMicros(300, price));
  });

  it.each([
    ['a server that refused it', { statusCode: 400 }, 0],
    ['a server that has too much to do', { statusCode: 429 }, 0],
    ['a server that failed', { statusCode: 500 }, 0],
    ['a server that was never reached', { code: 'ECONNREFUSED' }, 0],
    ['a gateway that waited no longer', { statusCode: 504 }, null],
    ['a connection that broke', { code: 'ECONNRESET' }, null],
  ])(
    'counts a call in full where it may have been billed, and not one of %s [NX-195]',
    async (_, fields, micros) => {
      const { ask, reserved, settled } = setUp(async () => {
        throw toCallError(fields);
      });
      await expect(ask()).rejects.toThrow();
      expect(settled).toEqual([{ micros: micros ?? reserved[0], isPresumed: micros === null }]);
    },
  );

  it('asks nothing where a limit is reached', async () => {
    const model = new MockLanguageModelV4({ doGenerate: async () => answer });
    const reserve = () => Promise.reject(overBudget('5 USD for this run'));
    const metered = meterModel(model, { price, spending: { reserve } });
    await expect(generateText({ model: metered, prompt: 'Two and two?' })).rejects.toThrow(
      'The model was not called: the limit of 5 USD for this run is reached',
    );
    expect(model.doGenerateCalls).toHaveLength(0);
  });

  it('reserves nothing for a model that costs nothing, and leaves its answers as long as they are', async () => {
    const model = new MockLanguageModelV4({ doGenerate: async () => answer });
    const reserve = () => Promise.reject(new Error('nothing is to be reserved'));
    const free = meterModel(model, {
      price: modelPriceSchema.parse({ input: 0, output: 0 }),
      spending: { reserve },
    });
    expect(readUsage(await generateText({ model: free, prompt: 'Hi' })).costMicros).toBeUndefined();
    expect(model.doGenerateCalls[0]?.maxOutputTokens).toBeUndefined();
  });

  it('gives an answer whose cost could not be written down: what was reserved counts', async () => {
    const warnings: string[] = [];
    const logger = {
      debug: () => {},
      info: () => {},
      error: () => {},
      warn: (_: object, text: string) => void warnings.push(text),
    };
    const spending = { reserve: async () => () => Promise.reject(new Error('EIO')) };
    const model = meterModel(new MockLanguageModelV4({ doGenerate: async () => answer }), {
      price,
      spending,
      logger,
    });
    expect((await generateText({ model, prompt: 'Hi' })).text).toBe('Four.');
    expect(warnings).toEqual(['failed to record call cost; counting reserved amount']);
  });

  it('reserves for a picture what it can cost by its size on the screen, however many bytes it has [NX-403]', async () => {
    const { metered, reserved } = setUp();
    const ask = (bytes: number) => {
      const data = new Uint8Array(bytes);
      const content = [{ type: 'file' as const, mediaType: 'image/png', data }];
      return generateText({ model: metered, messages: [{ role: 'user', content }], maxRetries: 0 });
    };
    await ask(10);
    await ask(1_000_000);
    const [small = 0, large = 0] = reserved;
    expect(large).toBe(small);
    expect(small).toBeGreaterThan(toMostMicros(3_000, price));
    expect(small).toBeLessThan(toMostMicros(4_000, price));
  });

  it('streams nothing that it could not meter', async () => {
    const errors: unknown[] = [];
    const result = streamText({
      model: setUp().metered,
      prompt: 'Hi',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    await result.consumeStream();
    expect(String(errors[0])).toContain('answers as a whole');
  });
});

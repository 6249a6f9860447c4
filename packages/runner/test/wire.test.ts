import { type FaultyModel, type ModelReaction, startFaultyModel } from '@agent/simulators/model';
import { createOpenAI } from '@ai-sdk/openai';
import { afterEach, describe, expect, it } from 'vitest';
import {
  awaitModel,
  type BoundedFetchOptions,
  boundFetch,
  createMemoryRunJournal,
  ModelCircuit,
} from '../src/index.ts';
import { createLog } from './log.ts';
import { commentSaying, createInbox, createTool, nothingNew, runForTest, toOutcome } from './run-setup.ts';

let stub: FaultyModel | null = null;
afterEach(() => stub?.close());

const nothing: ModelReaction = { kind: 'refuse', status: 500, body: { error: { message: 'no answer' } } };

async function startModel(
  api: 'responses' | 'chat',
  answers: readonly ModelReaction[] | ((request: { readonly written: string }) => ModelReaction),
  bounds: BoundedFetchOptions = {},
) {
  const react: Parameters<typeof startFaultyModel>[0] =
    typeof answers === 'function' ? answers : (_, index) => answers[index] ?? nothing;
  stub = await startFaultyModel(react, { usage: { input: 30, output: 7 } });
  const provider = createOpenAI({
    baseURL: stub.baseUrl,
    apiKey: 'sk-test-key-of-nobody',
    fetch: boundFetch(bounds),
  });
  return { stub, model: api === 'chat' ? provider.chat('stub') : provider.responses('stub') };
}

/** A clock that sleeping moves. */
function createClock() {
  let time = Date.parse('2026-01-02T00:00:00Z');
  const sleep = async (milliseconds: number): Promise<void> => {
    time += milliseconds;
  };
  return { now: () => time, sleep };
}

const twoCalls = {
  kind: 'call',
  calls: [
    { id: 'call_1', name: 'echo', arguments: '{"text":"first"}' },
    { id: 'call_2', name: 'echo', arguments: '{"text":"second"}' },
  ],
} as const;

describe.each(['responses', 'chat'] as const)('a run on the %s endpoint', (api) => {
  it('sends the whole conversation with every request and refers to nothing on the server [NX-12]', async () => {
    const { stub, model } = await startModel(api, [
      twoCalls,
      { kind: 'say', text: 'Halfway.' },
      { kind: 'say', text: 'All done.' },
    ]);
    const echo = createTool((text) => `echo of ${text}`);
    const comments = createInbox([nothingNew, nothingNew, commentSaying('One more thing.', 'c1')]);
    const { result } = await runForTest({ model, tools: { echo }, comments });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', finalText: 'All done.' });
    expect(stub.requests).toHaveLength(3);
    for (const { written: text } of stub.requests) {
      expect(text).not.toContain('item_reference');
      expect(text).not.toContain('previous_response_id');
      expect(text).toContain('You mend things.');
      expect(text).toContain('Mend it.');
    }
    const last = stub.requests[2]?.written ?? '';
    const order = ['Mend it.', 'call_1', 'echo of first', 'echo of second', 'Halfway.', 'One more thing.'];
    expect(order.map((text) => last.indexOf(text))).toEqual(
      order.map((text) => last.indexOf(text)).toSorted((a, b) => a - b),
    );
    for (const text of order) expect(last).toContain(text);
  });

  it('sends the same conversation after a resume as it would have without one [NX-12, RL-9]', async () => {
    const { stub, model } = await startModel(api, [
      twoCalls,
      { kind: 'say', text: 'Done.' },
      { kind: 'say', text: 'Done.' },
    ]);
    const echo = createTool((text) => `echo of ${text}`);
    const { journal } = await runForTest({ model, tools: { echo } });
    const cut = createMemoryRunJournal({ entries: journal.entries.slice(0, -1) });
    await runForTest({ model, tools: { echo }, journal: cut });
    expect(stub.requests[2]?.written).toBe(stub.requests[1]?.written);
    expect(echo.calls).toEqual(['first', 'second']);
  });

  it('counts calls, tokens and tool calls from what the endpoint reports', async () => {
    const { model } = await startModel(api, [twoCalls, { kind: 'say', text: 'Done.' }]);
    const { result } = await runForTest({ model, tools: { echo: createTool((text) => text) } });
    expect(toOutcome(result).statistics).toMatchObject({
      modelCalls: 2,
      toolCalls: 2,
      inputTokens: 60,
      outputTokens: 14,
    });
  });

  it('answers a call whose arguments are no JSON with what is wrong, and goes on', async () => {
    const torn = {
      kind: 'call',
      calls: [{ id: 'call_1', name: 'echo', arguments: '{"text":"fir' }],
    } as const;
    const { stub, model } = await startModel(api, [torn, { kind: 'say', text: 'Done.' }]);
    const echo = createTool((text) => text);
    const { result } = await runForTest({ model, tools: { echo } });
    expect(toOutcome(result).status).toBe('completed');
    expect(echo.calls).toEqual([]);
    expect(stub.requests[1]?.written).toContain('was not executed');
  });

  it('fails where the endpoint refuses its text with 403, which is no word about the key [NX-42]', async () => {
    const body = { error: { message: 'Your chosen model requires moderation and your input was flagged' } };
    const { model } = await startModel(api, [{ kind: 'refuse', status: 403, body }]);
    const { result } = await runForTest({ model });
    expect(toOutcome(result)).toMatchObject({ status: 'failed' });
    expect(toOutcome(result).reason).toContain('was flagged');
  });

  it.each([
    [
      {
        kind: 'refuse',
        status: 401,
        body: { error: { message: 'Incorrect API key: sk-test-key-of-nobody' } },
      },
      'API key',
    ],
    [
      { kind: 'refuse', status: 404, body: { error: { message: 'The model does not exist' } } },
      'Check the model name and the base URL',
    ],
    [
      { kind: 'refuse', status: 400, body: { error: 'No models loaded. Load one.' } },
      'No models loaded. Load one.',
    ],
    [
      { kind: 'refuse', status: 429, body: { error: { message: 'Pay us', code: 'insufficient_quota' } } },
      'no credit left',
    ],
    [{ kind: 'refuse', status: 429, body: { error: { message: 'slow down' } } }, 'refuses further calls'],
    [{ kind: 'refuse', status: 503, body: { error: { message: 'overloaded' } } }, 'is not ready'],
    [{ kind: 'refuse', status: 502, body: { error: { message: 'bad' } } }, 'HTTP 502'],
    [{ kind: 'refuse', status: 422, body: { error: { message: 'bad tools' } } }, 'refused the request'],
    [{ kind: 'raw', body: '<html>welcome</html>' }, 'could not be parsed'],
    [{ kind: 'refuse', status: 408, body: { error: { message: 'too slow' } } }, 'HTTP 408'],
    [
      { kind: 'refuse', status: 500, body: { error: { message: '\u001b[31mred\u001b[0m\nalert' } } },
      'Details: red alert',
    ],
  ] as const)(
    'is left as it is, for later, with a reason that says what to do, when the endpoint keeps answering %j [NX-41]',
    async (answer, words) => {
      let isBack = false;
      const { model, stub } = await startModel(api, () => (isBack ? { kind: 'say', text: 'Done.' } : answer));
      const { result, journal } = await runForTest({ model, ...createClock() });
      isBack = true;
      if (result.kind !== 'deferred') throw new Error(`the run is ${result.kind}`);
      expect(result.reason).toContain(words);
      expect(result.reason).not.toContain('sk-test-key-of-nobody');
      expect(result.reason).not.toContain(stub.baseUrl);
      const again = await runForTest({ model, journal });
      expect(toOutcome(again.result)).toMatchObject({ status: 'completed', statistics: { modelCalls: 1 } });
    },
  );

  it.each([
    [
      {
        kind: 'refuse',
        status: 400,
        body: { error: { message: "This model's maximum context length is 8" } },
      },
      'too small for the instructions',
    ],
    [{ kind: 'refuse', status: 422, body: { error: { message: 'bad tools' } } }, 'refused the request'],
    [{ kind: 'raw', body: '{"nope":1}' }, 'could not be parsed'],
    [{ kind: 'raw', body: '<html>welcome</html>' }, 'could not be parsed'],
  ] as const)(
    'fails with a reason that says what to do when the endpoint answers %j, and answers a short request',
    async (answer, words) => {
      const { model } = await startModel(api, ({ written }) =>
        written.includes('Answer with OK.') ? { kind: 'say', text: 'OK' } : answer,
      );
      const { result } = await runForTest({ model, ...createClock() });
      expect(toOutcome(result)).toMatchObject({ status: 'failed' });
      expect(toOutcome(result).reason).toContain(words);
    },
  );

  it('gives no failed outcome to a refusal that proves nothing, as long as short requests are refused too', async () => {
    const refused = { kind: 'refuse', status: 400, body: { error: { message: 'no such knob' } } } as const;
    let isFixed = false;
    const { model } = await startModel(api, () => (isFixed ? { kind: 'say', text: 'Done.' } : refused));
    const { now, sleep: pass } = createClock();
    const circuit = new ModelCircuit({ now });
    const startedAt = now();
    const sleep = async (milliseconds: number): Promise<void> => {
      await pass(milliseconds);
      isFixed = now() - startedAt > 7_200_000;
      if (!isFixed) expect(circuit.state.failure).toMatchObject({ kind: 'unclear', remedy: 'operator' });
    };
    const { result } = await runForTest({
      model: circuit.watch(model),
      availability: awaitModel(circuit, { sleep, now }),
      now,
    });
    expect(toOutcome(result).status).toBe('completed');
  });

  it('waits for the operator while a model cannot call tools, though it answers short requests', async () => {
    const noTools = {
      kind: 'refuse',
      status: 400,
      body: { error: { message: 'registry.ollama.ai/library/gemma:2b does not support tools' } },
    } as const;
    let isFixed = false;
    const { model, stub } = await startModel(api, ({ written }) =>
      isFixed || written.includes('Answer with OK.') ? { kind: 'say', text: 'Done.' } : noTools,
    );
    const { now, sleep: pass } = createClock();
    const startedAt = now();
    const sleep = async (milliseconds: number): Promise<void> => {
      await pass(milliseconds);
      isFixed = now() - startedAt > 3_600_000;
    };
    const circuit = new ModelCircuit({ now });
    const { result } = await runForTest({
      model: circuit.watch(model),
      availability: awaitModel(circuit, { sleep, now }),
      now,
    });
    expect(toOutcome(result).status).toBe('completed');
    // No more often than the longest pause of the circuit asks for.
    expect(stub.requests.length).toBeLessThan(200);
  });

  it('pauses between the tries of a step that is limited without a time to wait', async () => {
    const limited = { kind: 'refuse', status: 429, body: { error: { message: 'slow down' } } } as const;
    let isOver = false;
    const { model, stub } = await startModel(api, ({ written }) =>
      isOver || written.includes('Answer with OK.') ? { kind: 'say', text: 'Done.' } : limited,
    );
    const { now, sleep: pass } = createClock();
    const startedAt = now();
    const sleep = async (milliseconds: number): Promise<void> => {
      await pass(milliseconds);
      isOver = now() - startedAt > 600_000;
    };
    const circuit = new ModelCircuit({ now });
    const availability = awaitModel(circuit, { sleep, now });
    const { result } = await runForTest({ model: circuit.watch(model), availability, now });
    expect(toOutcome(result).status).toBe('completed');
    expect(stub.requests.length).toBeLessThan(100);
  });

  it('does not wait for ever for an answer', async () => {
    const { model } = await startModel(api, () => ({ kind: 'hang' }));
    const { result } = await runForTest({ model, stepTimeoutMs: 20, ...createClock() });
    expect(result).toMatchObject({ kind: 'deferred' });
    expect(JSON.stringify(result)).toContain('did not answer within');
  });

  it('tries again after a short failure of the endpoint', async () => {
    const busy = {
      kind: 'refuse',
      status: 503,
      body: { error: { message: 'busy' } },
      retryAfterMs: 1,
    } as const;
    const done = { kind: 'say', text: 'Done.' } as const;
    const { model } = await startModel(api, [busy, done, done]);
    const { result } = await runForTest({ model, maxRetries: 1, ...createClock() });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', statistics: { modelCalls: 1 } });
  });

  it('says by its code why nothing could be reached, and leaves the address to the log [NX-41]', async () => {
    const { stub, model } = await startModel(api, []);
    await stub.close();
    const log = createLog();
    const { result } = await runForTest({ model, logger: log.logger, ...createClock() });
    expect(JSON.stringify(result)).toContain('ECONNREFUSED');
    expect(JSON.stringify(result)).not.toContain(stub.baseUrl);
    expect(JSON.stringify(log.lines)).toContain(stub.baseUrl);
  });

  it('reads no answer without end, asks for a shorter one, and then ends [NX-44]', async () => {
    const { stub, model } = await startModel(api, [{ kind: 'flood' }, { kind: 'flood' }], {
      maxBytes: 100_000,
    });
    const { result } = await runForTest({ model });
    expect(toOutcome(result).status).toBe('failed');
    expect(toOutcome(result).reason).toContain('was too long twice');
    expect(stub.requests).toHaveLength(2);
    expect(stub.requests[1]?.written).toContain('far too long');
    expect(stub.sentCharacters()).toBeLessThan(20_000_000);
  });
});

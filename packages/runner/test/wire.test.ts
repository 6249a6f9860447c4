import { createOpenAI } from '@ai-sdk/openai';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryRunJournal } from '../src/index.ts';
import { type OpenAiStub, type StubAnswer, startOpenAiStub } from './openai-stub.ts';
import { commentSaying, createInbox, createTool, nothingNew, runForTest, toOutcome } from './run-setup.ts';

let stub: OpenAiStub | null = null;
afterEach(() => stub?.close());

async function startModel(api: 'responses' | 'chat', answers: readonly StubAnswer[]) {
  stub = await startOpenAiStub(answers);
  const provider = createOpenAI({ baseURL: stub.url, apiKey: 'sk-test-key-of-nobody' });
  return { stub, model: api === 'chat' ? provider.chat('stub') : provider.responses('stub') };
}

const twoCalls = {
  calls: [
    { id: 'call_1', name: 'echo', arguments: '{"text":"first"}' },
    { id: 'call_2', name: 'echo', arguments: '{"text":"second"}' },
  ],
};

describe.each(['responses', 'chat'] as const)('a run on the %s endpoint', (api) => {
  it('sends the whole conversation with every request and refers to nothing on the server [NX-12]', async () => {
    const { stub, model } = await startModel(api, [twoCalls, { text: 'Halfway.' }, { text: 'All done.' }]);
    const echo = createTool((text) => `echo of ${text}`);
    const comments = createInbox([nothingNew, nothingNew, commentSaying('One more thing.', 'c1')]);
    const { result } = await runForTest({ model, tools: { echo }, comments });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', finalText: 'All done.' });
    expect(stub.requests).toHaveLength(3);
    for (const { text } of stub.requests) {
      expect(text).not.toContain('item_reference');
      expect(text).not.toContain('previous_response_id');
      expect(text).toContain('You mend things.');
      expect(text).toContain('Mend it.');
    }
    const last = stub.requests[2]?.text ?? '';
    const order = ['Mend it.', 'call_1', 'echo of first', 'echo of second', 'Halfway.', 'One more thing.'];
    expect(order.map((text) => last.indexOf(text))).toEqual(
      order.map((text) => last.indexOf(text)).toSorted((a, b) => a - b),
    );
    for (const text of order) expect(last).toContain(text);
  });

  it('sends the same conversation after a resume as it would have without one [NX-12, RL-9]', async () => {
    const { stub, model } = await startModel(api, [twoCalls, { text: 'Done.' }, { text: 'Done.' }]);
    const echo = createTool((text) => `echo of ${text}`);
    const { journal } = await runForTest({ model, tools: { echo } });
    const cut = createMemoryRunJournal({ entries: journal.entries.slice(0, -1) });
    await runForTest({ model, tools: { echo }, journal: cut });
    expect(stub.requests[2]?.text).toBe(stub.requests[1]?.text);
    expect(echo.calls).toEqual(['first', 'second']);
  });

  it('counts calls, tokens and tool calls from what the endpoint reports', async () => {
    const { model } = await startModel(api, [twoCalls, { text: 'Done.' }]);
    const { result } = await runForTest({ model, tools: { echo: createTool((text) => text) } });
    expect(toOutcome(result).statistics).toMatchObject({
      modelCalls: 2,
      toolCalls: 2,
      inputTokens: 60,
      outputTokens: 14,
    });
  });

  it('answers a call whose arguments are no JSON with what is wrong, and goes on', async () => {
    const torn = { calls: [{ id: 'call_1', name: 'echo', arguments: '{"text":"fir' }] };
    const { stub, model } = await startModel(api, [torn, { text: 'Done.' }]);
    const echo = createTool((text) => text);
    const { result } = await runForTest({ model, tools: { echo } });
    expect(toOutcome(result).status).toBe('completed');
    expect(echo.calls).toEqual([]);
    expect(stub.requests[1]?.text).toContain('was not carried out');
  });

  it.each([
    [{ status: 401, body: { error: { message: 'Incorrect API key: sk-test-key-of-nobody' } } }, 'API key'],
    [{ status: 404, body: { error: { message: 'The model does not exist' } } }, 'Check model and base URL'],
    [{ status: 429, body: { error: { message: 'slow down' } } }, 'refuses further calls'],
    [
      { status: 400, body: { error: { message: "This model's maximum context length is 8" } } },
      'no longer fits',
    ],
    [{ status: 503, body: { error: { message: 'overloaded' } } }, 'HTTP 503'],
    [{ raw: '{"nope":1}' }, 'cannot be read'],
    [{ raw: '<html>welcome</html>' }, 'cannot be read'],
  ] as const)(
    'fails with a reason that says what to do when the endpoint answers %j',
    async (answer, words) => {
      const { model } = await startModel(api, [answer]);
      const { result } = await runForTest({ model });
      const { status, reason } = toOutcome(result);
      expect(status).toBe('failed');
      expect(reason).toContain(words);
      expect(reason).not.toContain('sk-test-key-of-nobody');
    },
  );

  it('does not wait for ever for an answer', async () => {
    const { model } = await startModel(api, [{ silent: true }]);
    const { result } = await runForTest({ model, stepTimeoutMs: 20 });
    expect(toOutcome(result).status).toBe('failed');
    expect(toOutcome(result).reason).toContain('gave no answer within');
  });

  it('tries again after a short failure of the endpoint', async () => {
    const busy = { status: 503, body: { error: { message: 'busy' } }, retryAfterMs: 1 };
    const { model } = await startModel(api, [busy, { text: 'Done.' }]);
    const { result } = await runForTest({ model, maxRetries: 1 });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', statistics: { modelCalls: 1 } });
  });

  it('names the address when nothing listens there', async () => {
    const { stub, model } = await startModel(api, []);
    await stub.close();
    const { result } = await runForTest({ model });
    expect(toOutcome(result).reason).toContain(stub.url);
    expect(toOutcome(result).reason).toContain('ECONNREFUSED');
  });
});

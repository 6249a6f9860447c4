import { afterEach, expect, it } from 'vitest';
import { type AgentModel, startAgentModel } from './start-agent-model.ts';

const models: AgentModel[] = [];

afterEach(() => Promise.all(models.splice(0).map((model) => model.close())));

async function ask(path: string, body: object) {
  const model = await startAgentModel(({ results }) =>
    results === 0 ? { call: { name: 'run', input: { command: 'ls' } } } : { text: 'Done.' },
  );
  models.push(model);
  const answer = await fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return {
    model,
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
}

const tools = [{ name: 'run' }];
const gemini = '/v1beta/models/m:streamGenerateContent';

it.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Mend it.' }] }, '"tool_calls":['],
  ['/v1/responses', { input: [{ role: 'user', content: 'Mend it.' }] }, '"type":"function_call"'],
  ['/v1/messages', { messages: [{ role: 'user', content: 'Mend it.' }] }, '"type":"tool_use"'],
  [gemini, { contents: [{ role: 'user', parts: [{ text: 'Mend it.' }] }] }, '"functionCall":{"name":"run"'],
])('streams a call in the format of %s [NX-302]', async (path, body, written) => {
  const { model, type, text } = await ask(path, { ...body, tools });
  expect(type).toBe('text/event-stream');
  expect(text).toContain(written);
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.userMessages).toEqual([expect.stringContaining('Mend it.')]);
});

it.each([
  ['/v1/chat/completions', { messages: [{ role: 'tool', tool_call_id: 'call_1', content: 'a' }] }],
  ['/v1/responses', { input: [{ type: 'function_call_output', call_id: 'call_1', output: 'a' }] }],
  ['/v1/messages', { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'a' }] }] }],
  [gemini, { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'run' } }] }] }],
])('counts the results of tools in the format of %s [NX-302]', async (path, body) => {
  expect((await ask(path, { ...body, tools })).text).toContain('Done.');
});

it('keeps questions without tools out of the requests, and knows nothing else [NX-302]', async () => {
  const { model, type, text } = await ask('/v1beta/models/m:generateContent', { contents: [] });
  expect(type).toBe('application/json');
  expect(text).toContain('Fine.');
  expect(model.requests).toHaveLength(0);
  expect((await ask('/v1/other', {})).status).toBe(404);
});

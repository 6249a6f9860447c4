import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, type AgentMessage } from '@earendil-works/pi-agent-core';
import { createModels, createProvider, type Model } from '@earendil-works/pi-ai';
import { openAICompletionsApi } from '@earendil-works/pi-ai/api/openai-completions.lazy';
import { openPlace, pollPlainly } from './open-place.ts';

/** The agent of pi, steered as its documentation says, with each message kept by an awaited listener when it ends. */
const place = openPlace();
const model: Model<'openai-completions'> = {
  ...{ id: 'scripted', name: 'Scripted', api: 'openai-completions', provider: 'scripted' },
  ...{
    baseUrl: place.baseUrl,
    reasoning: false,
    input: ['text'],
    contextWindow: 1_000_000,
    maxTokens: 10_000,
  },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};
const models = createModels();
models.setProvider(
  createProvider({
    ...{ id: 'scripted', name: 'Scripted', baseUrl: place.baseUrl, models: [model] },
    auth: { apiKey: { name: 'Scripted', resolve: async () => ({ auth: { apiKey: 'none' } }) } },
    api: openAICompletionsApi(),
  }),
);
const file = join(place.directory, 'messages.jsonl');
const known = readMessages();
const agent = new Agent({
  initialState: {
    ...{ systemPrompt: 'You work.', model, messages: [...known] },
    tools: [
      {
        ...{ name: 'work', label: 'Work', description: 'Does a piece of the work.' },
        parameters: { type: 'object', properties: {} },
        execute: async () => ({ content: [{ type: 'text', text: 'done' }], details: {} }),
      },
    ],
  },
  streamFn: models.streamSimple.bind(models),
  steeringMode: 'all',
});
agent.subscribe((event) => {
  if (event.type === 'message_end') appendFileSync(file, `${JSON.stringify(event.message)}\n`);
});
const polling = pollPlainly(place, (content) =>
  agent.steer({ role: 'user', content, timestamp: Date.now() }),
);
await polling.poll();
if (known.length === 0) await agent.prompt(place.task);
else if (known.at(-1)?.role !== 'assistant') await agent.continue();
while (((await polling.poll()) > 0 || agent.hasQueuedMessages()) && agent.state.errorMessage === undefined)
  await agent.continue();
await polling.stop();
if (agent.state.errorMessage !== undefined) throw new Error(agent.state.errorMessage);

/** Reads what was kept; calls of tools whose results were not are left out, as they cannot be sent. */
function readMessages(): readonly AgentMessage[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const messages = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AgentMessage);
  const last = messages.at(-1);
  const isOpen = last?.role === 'assistant' && last.content.some(({ type }) => type === 'toolCall');
  return isOpen ? messages.slice(0, -1) : messages;
}

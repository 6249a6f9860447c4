import { createMemoryStorage } from '@agent/run-store/testing';
import { ModelCircuit } from '@agent/runner';
import { modelPriceSchema } from '@agent/runner/models';
import { APICallError, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import type { BoardEvent } from '../board/board-event.ts';
import { maxCostSchema } from '../config/spending-settings.ts';
import type { ConfiguredModel } from '../host/ports.ts';
import { silentLogger } from '../host/ports.ts';
import { createBudgets } from '../spending/budgets.ts';
import type { Payer } from '../spending/payer.ts';
import { createOpenRunModels, type RunModels } from './run-models.ts';

const payer: Payer = {
  uuid: '10000000-0000-4000-8000-000000000001',
  thread: { host: 'github.com', taskKeyText: 'github_issue:acme:shop:7' },
  person: { id: '7', login: 'alice', kind: 'person' },
  repository: { id: '1', path: 'acme/shop' },
};

function createNamed(modelId: string, fails: () => boolean = () => false) {
  const model = new MockLanguageModelV4({
    modelId,
    doGenerate: async () => {
      if (fails())
        throw new APICallError({ message: 'no', url: 'http://x', requestBodyValues: {}, statusCode: 401 });
      return {
        content: [{ type: 'text', text: modelId }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 10, text: 10, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  return { model, chatModel: null, description: { provider: 'x', model: modelId, contextLength: 1_000 } };
}

/** Models of a run, of which those named have this price; each `ask` says which one answered. */
async function setUp(
  configured: Pick<ConfiguredModel, 'model' | 'chatModel' | 'description' | 'tasks'>,
  { priced, limits }: { readonly priced: readonly string[]; readonly limits: object },
) {
  const storage = createMemoryStorage();
  const ledger = storage.openSpending({ owner: await storage.members.acquire() });
  const price = modelPriceSchema.parse({ input: 0, output: 1, max_output_tokens: 16 });
  const heard: BoardEvent[] = [];
  const open = createOpenRunModels({
    model: { ...configured, secret: null, endpoint: null },
    watch: { circuit: new ModelCircuit() },
    prices: Object.fromEntries(priced.map((name) => [name, price])),
    spending: {
      ledger,
      budgets: createBudgets(storage.notes),
      limits: maxCostSchema.parse(limits),
      currency: 'USD',
      timeZone: 'UTC',
      now: () => Date.parse('2026-03-01T10:00:00Z'),
      sleep: async () => {},
      shutdown: new AbortController().signal,
    },
    observe: (event) => void heard.push(event),
    logger: silentLogger,
  });
  const models = open(payer, 'en');
  const ask = async (task: keyof Pick<RunModels, 'work' | 'planning' | 'summary'>) =>
    (await generateText({ model: models[task], prompt: 'Hi', maxRetries: 0 })).text;
  return { ask, ledger, models, heard };
}

it('asks each task its own model, another in its place while it refuses, and pays for all of them [NX-199]', async () => {
  let fails = false;
  const [main, large, spare] = [createNamed('main', () => fails), createNamed('large'), createNamed('spare')];
  const configured = { ...main, tasks: { planning: [large], work: [main, spare] } };
  const { ask, ledger, models } = await setUp(configured, {
    priced: ['main', 'large', 'spare'],
    limits: { run: 1, day: 2 },
  });
  expect([await ask('work'), await ask('planning'), await ask('summary')]).toEqual(['main', 'large', 'main']);
  fails = true;
  expect([await ask('work'), await ask('work')]).toEqual(['spare', 'spare']);
  const names = ['thread:github.com github_issue:acme:shop:7', 'person:github.com 7', 'day:2026-03-01'];
  const accounts = await ledger.read([`run:${payer.uuid}`, 'repository:github.com 1', ...names]);
  expect(accounts.map(({ spentMicros }) => spentMicros)).toEqual([50, 50, 50, 50, 50]);
  expect(await models.spending?.gauge.read({})).toEqual({ spent: 50, limit: 1_000_000 });
});

it('refuses a limit that would not hold every model [NX-197]', async () => {
  const configured = { ...createNamed('main'), tasks: { summary: [createNamed('other')] } };
  await expect(setUp(configured, { priced: ['main'], limits: { day: 5 } })).rejects.toThrow(
    'llm.prices has no price for the model "other"',
  );
  await expect(setUp(configured, { priced: ['main'], limits: { by_command: 5 } })).resolves.toBeDefined();
});

it('tells of each request to a model by the name of the model that was asked, also of one that failed [NX-406]', async () => {
  const [main, spare] = [createNamed('main', () => true), createNamed('spare')];
  const configured = { ...main, tasks: { work: [main, spare] } };
  const { ask, heard } = await setUp(configured, { priced: ['main'], limits: {} });
  expect(await ask('work')).toBe('spare');
  const waits = heard.flatMap((event) => (event.type === 'model-wait' ? [event] : []));
  expect(waits.map(({ begins }) => begins)).toEqual([true, false, true, false]);
  expect(waits[1]?.call).toBe(waits[0]?.call);
  expect(waits[2]?.call).not.toBe(waits[0]?.call);
  expect(heard.filter(({ type }) => type === 'model-call')).toEqual([
    {
      ...{ type: 'model-call', provider: 'mock-provider', model: 'main', durationMs: expect.any(Number) },
      ...{ inputTokens: null, outputTokens: null, failure: 'unauthorized' },
    },
    {
      ...{ type: 'model-call', provider: 'mock-provider', model: 'spare', durationMs: expect.any(Number) },
      ...{ inputTokens: 0, outputTokens: 10, failure: null },
    },
  ]);
});

it('observes the cost of every call, also of those beside the conversation, as the ledger counts it [NX-196, NX-406]', async () => {
  const { ask, ledger, heard } = await setUp(createNamed('main'), { priced: ['main'], limits: { day: 2 } });
  for (const task of ['planning', 'work', 'summary'] as const) await ask(task);
  const costs = heard.flatMap((event) => (event.type === 'call-cost' ? [event.micros] : []));
  const [account] = await ledger.read([`run:${payer.uuid}`]);
  expect(costs).toEqual([10, 10, 10]);
  expect(account?.spentMicros).toBe(30);
});

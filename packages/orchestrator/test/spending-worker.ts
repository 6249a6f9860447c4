import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { classifyModelError } from '@agent/runner';
import { meterModel, modelPriceSchema } from '@agent/runner/models';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { maxCostSchema } from '../src/config/spending-settings.ts';
import { createBudgets } from '../src/spending/budgets.ts';
import { openRunSpending } from '../src/spending/run-spending.ts';

/** A process that spends until a limit is reached, and says at which: `node spending-worker.ts DATABASE SCHEMA VENDOR RUN LIMIT`. */
const [url = '', schema = '', vendor = '', uuid = '', day = ''] = process.argv.slice(2);

const database = await connectPostgres({ url });
const storage = createPostgresStorage({ database, schema });
const owner = await storage.members.acquire();
const shutdown = new AbortController().signal;
const spending = openRunSpending(
  {
    ledger: storage.openSpending({ owner }),
    budgets: createBudgets(storage.notes),
    limits: maxCostSchema.parse({ day: Number(day) }),
    currency: 'USD',
    timeZone: 'UTC',
    now: () => Date.parse('2026-03-01T10:00:00Z'),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds / 20)),
    shutdown,
  },
  {
    payer: { uuid, thread: { host: 'github.com', taskKeyText: uuid }, person: null, repository: null },
    locale: 'en',
  },
);

/** Asks a vendor that bills by request, whatever becomes of who asked. */
const model = new MockLanguageModelV4({
  doGenerate: async () => {
    const { output } = (await (await fetch(vendor)).json()) as { readonly output: number };
    return {
      content: [{ type: 'text', text: 'Counted.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
      warnings: [],
    };
  },
});
const price = modelPriceSchema.parse({ input: 0, output: 1, max_output_tokens: 400 });
const metered = meterModel(model, { price, spending: spending.calls });

for (;;) {
  try {
    await generateText({ model: metered, prompt: 'Count.', maxRetries: 0 });
  } catch (error) {
    const { kind, detail } = classifyModelError(error);
    process.stdout.write(`${kind}: ${detail}\n`);
    break;
  }
}
await owner.release();
await storage.close();

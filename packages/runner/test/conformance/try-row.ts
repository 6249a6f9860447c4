import {
  type RowOutcome,
  type ServedRows,
  type ServerRow,
  type ServerRules,
  startModelServer,
} from '@agent/simulators/model-servers';
import { generateText, jsonSchema, streamText } from 'ai';
import { classifyModelError, createMemoryRunJournal, runTask } from '../../src/index.ts';
import { createModel, llmSchema } from '../../src/models/index.ts';

/** What became of a row. */
export interface RowTrial {
  readonly outcome: RowOutcome;
  /** Calls of tools that were made. */
  readonly calls: number;
  readonly finalText: string | null;
  /** Tells whether the run came to its end after all, with the good answer. */
  readonly recovers: boolean;
}

const outcomes = { wait: 'waits', operator: 'operator', retry: 'retried', none: 'fails' } as const;

/** Runs a task against a server on loopback that gives the answer of a row once, then a good one. */
export async function tryRow(row: ServerRow, rules?: ServerRules): Promise<RowTrial> {
  const served = { rows: [row], rules };
  const failed = await withServer(served, (model) => findFailure(model, row));
  const streamed = await withServer(served, (model) => findFailureOfStream(model, row));
  if (failed !== streamed) throw new Error(`${failed} without a stream, ${streamed} with one`);
  const trial = await withServer(served, (model) => runOnce(model, row));
  return failed === null ? trial : { ...trial, outcome: failed };
}

type Model = Awaited<ReturnType<typeof createModel>>['model'];

async function findFailure(model: Model, row: ServerRow): Promise<RowOutcome | null> {
  try {
    await generateText({ model, tools: toTools(row, () => undefined), prompt: 'Go.', maxRetries: 0 });
    return null;
  } catch (error) {
    return toOutcome(error);
  }
}

async function findFailureOfStream(model: Model, row: ServerRow): Promise<RowOutcome | null> {
  const tools = toTools(row, () => undefined);
  const { stream } = streamText({ model, tools, prompt: 'Go.', maxRetries: 0, onError: () => undefined });
  for await (const part of stream) if (part.type === 'error') return toOutcome(part.error);
  return null;
}

function toOutcome(error: unknown): RowOutcome {
  const { kind, remedy } = classifyModelError(error);
  return kind === 'context-too-long' ? 'too long' : outcomes[remedy];
}

async function runOnce(model: Model, row: ServerRow): Promise<RowTrial> {
  let calls = 0;
  let now = Date.now();
  const journal = createMemoryRunJournal();
  const result = await runTask({
    model,
    tools: toTools(row, () => {
      calls += 1;
    }),
    journal,
    maxRetries: 0,
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
    limits: { maxSteps: 4 },
    openConversation: async () => ({
      instructions: 'You are an agent.',
      messages: [
        { role: 'user', content: `The total is wrong.\n${'It forgets the quantity. '.repeat(2_000)}` },
      ],
    }),
  });
  const outcome = result.kind === 'ended' ? result.outcome : null;
  const isAskedAgain = JSON.stringify(journal.entries).includes('Your last answer');
  const isDone = outcome?.status === 'completed';
  return {
    outcome: isDone ? (isAskedAgain ? 'asked again' : 'works') : 'fails',
    calls,
    finalText: outcome?.finalText ?? null,
    recovers: isDone,
  };
}

/** Tools with the names that the answer calls, with any input. */
function toTools(row: ServerRow, onCall: () => void) {
  const names = [...row.text.matchAll(/"name":\s*"([\w-]+)"/g)].map(([, name = '']) => name);
  const tool = {
    description: 'A tool',
    inputSchema: jsonSchema<object>({ type: 'object' }),
    readOnly: true,
    execute: async () => {
      onCall();
      return 'ok';
    },
  };
  return Object.fromEntries([...names, 'read_file'].map((name) => [name, tool]));
}

async function withServer<Result>(
  served: ServedRows,
  work: (model: Model) => Promise<Result>,
): Promise<Result> {
  await using server = await startModelServer(served);
  const llm = llmSchema.parse({ base_url: server.baseUrl, model: 'm', api: 'chat' });
  const { model } = await createModel(llm, { environment: {}, directory: '.' });
  return await work(model);
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  assumedAnswers,
  findRefusal,
  type RowOutcome,
  type SentRequest,
  type ServerRow,
  type ServerRules,
} from '@agent/simulators/model-servers';
import { generateText, jsonSchema } from 'ai';
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
  const failed = await withServer({ row, rules }, findFailure);
  const trial = await withServer({ row, rules }, runOnce);
  return failed === null ? trial : { ...trial, outcome: failed };
}

type Model = Awaited<ReturnType<typeof createModel>>['model'];

async function findFailure(model: Model, row: ServerRow): Promise<RowOutcome | null> {
  try {
    await generateText({ model, tools: toTools(row, () => undefined), prompt: 'Go.', maxRetries: 0 });
    return null;
  } catch (error) {
    const { kind, remedy } = classifyModelError(error);
    return kind === 'context-too-long' ? 'too long' : outcomes[remedy];
  }
}

async function runOnce(model: Model, row: ServerRow): Promise<RowTrial> {
  let calls = 0;
  const journal = createMemoryRunJournal();
  const result = await runTask({
    model,
    tools: toTools(row, () => {
      calls += 1;
    }),
    journal,
    maxRetries: 0,
    sleep: async () => undefined,
    limits: { maxSteps: 4 },
    openConversation: async () => ({
      instructions: 'You are an agent.',
      messages: [{ role: 'user', content: 'The total is wrong.' }],
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
  const names = [...JSON.stringify(row.body).matchAll(/"name":\s*"([\w-]+)"/g)].map(([, name = '']) => name);
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

export interface TriedServer {
  readonly row: ServerRow;
  readonly rules: ServerRules | undefined;
}

async function withServer<Result>(
  { row, rules }: TriedServer,
  work: (model: Model, row: ServerRow) => Promise<Result>,
): Promise<Result> {
  let answers = 0;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const refusal = findRefusal(JSON.parse(text) as SentRequest, { row, rules });
    if (refusal === null) answers += 1;
    const answer = answers === 1 ? row : assumedAnswers.text;
    const { status = 200, body } = refusal ?? answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  try {
    const llm = llmSchema.parse({ base_url: `http://127.0.0.1:${port}/v1`, model: 'm', api: 'chat' });
    const { model } = await createModel(llm, { environment: {}, directory: '.' });
    return await work(model, row);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

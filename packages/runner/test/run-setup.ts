import { z } from 'zod';
import {
  type CommentInbox,
  createMemoryRunJournal,
  type MemoryRunJournal,
  type RunEvent,
  type RunOutcome,
  type RunResult,
  type RunTaskOptions,
  type RunTool,
  runTask,
} from '../src/index.ts';

export interface TestRun {
  readonly result: RunResult;
  readonly journal: MemoryRunJournal;
  readonly events: readonly RunEvent[];
}

const openShortly: RunTaskOptions['openConversation'] = async () => ({
  instructions: 'You mend things.',
  messages: [{ role: 'user', content: 'Mend it.' }],
});

type Defaulted = 'journal' | 'tools' | 'openConversation';

export interface TestRunOptions extends Omit<RunTaskOptions, Defaulted> {
  readonly journal?: MemoryRunJournal;
  readonly tools?: RunTaskOptions['tools'];
  readonly openConversation?: RunTaskOptions['openConversation'];
}

/** Runs a task with what most tests do not care about filled in. */
export async function runForTest(options: TestRunOptions): Promise<TestRun> {
  const { journal = createMemoryRunJournal(), tools = {}, openConversation = openShortly } = options;
  const events: RunEvent[] = [];
  const filled: RunTaskOptions = {
    locale: 'en',
    maxRetries: 0,
    ...options,
    journal,
    tools,
    openConversation,
    onEvent: (event) => events.push(event),
  };
  const result = await runTask(filled);
  return { result, journal, events };
}

/** The outcome of a run that must have ended. */
export function toOutcome(result: RunResult): RunOutcome {
  if (result.kind !== 'ended') throw new Error('the run was interrupted');
  return result.outcome;
}

/** A tool that takes `{ text }`, and remembers what it was called with. */
export function createTool(
  execute: (text: string, signal: AbortSignal | undefined) => Promise<string> | string,
): RunTool & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    description: 'Does something with a text.',
    inputSchema: z.object({ text: z.string() }),
    readOnly: false,
    calls,
    execute: async (input, { signal }) => {
      const { text } = input as { text: string };
      calls.push(text);
      return execute(text, signal);
    },
  };
}

export type Look = Awaited<ReturnType<CommentInbox['takeDelivery']>>;

/** An inbox that gives one look after the other, then nothing new. */
export function createInbox(
  looks: readonly (Look | Error)[],
): CommentInbox & { readonly barriers: boolean[]; readonly delivered: string[] } {
  const barriers: boolean[] = [];
  const delivered: string[] = [];
  return {
    barriers,
    delivered,
    takeDelivery: async ({ barrier }) => {
      const look = looks[barriers.push(barrier) - 1] ?? nothingNew;
      if (look instanceof Error) throw look;
      return look;
    },
    markDelivered: ({ delivers }) => {
      delivered.push(...delivers.map(({ id }) => id));
    },
  };
}

export const nothingNew: Look = { status: 'checked', delivery: null };

export function commentSaying(text: string, id: string): Look {
  const delivers = [{ id, revision: `${id}-1`, kind: 'added' as const }];
  return { status: 'checked', delivery: { text, receipt: { delivers } } };
}

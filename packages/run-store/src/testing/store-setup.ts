import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Logger } from '@agent/text';
import { z } from 'zod';
import { readFileIfThere } from '../disk/files.ts';
import { createRunState } from '../file/run-state.ts';
import { type DirectoryOptions, openDirectory } from '../file/taken-directory.ts';
import type { MessageEvent, NewRun, RunState } from '../index.ts';
import { sealLine } from '../lines/record-line.ts';
import { formatMetadata, formatOpened } from '../lines/run-documents.ts';

/** The messages of these tests: any package may bring its own. */
export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]),
});
export type TestMessage = z.infer<typeof messageSchema>;

/** Reads a message of the tests; throws for what is none. */
export const parseMessage = (json: unknown): TestMessage => messageSchema.parse(json);

/** A directory of its own, and the function that removes it. */
export async function makeDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'agent-contexts-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Makes a run that begins, with this id. */
export function newRun(uuid: string): NewRun {
  return {
    uuid,
    taskKey: { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 },
    taskKeyText: 'github_issue:octo:cat:42',
    host: 'github.com',
    user: 'mona',
    config: { llm_provider: 'openai', model: 'a-model', context_length: 128_000 },
    extra: { branch: 'agent/issue-42-fix-it' },
  };
}

/** Opens the state in a directory without the rest of a run, for tests of what is kept there. */
export function openRunState(directory: string): RunState {
  return createRunState(directory, {
    append: async () => undefined,
    isKept: () => false,
    readKept: async () => new Map(),
  });
}

/** Opens the journal in a directory, whatever its name; one without a record gets one. */
export async function openJournalIn(directory: string, options: DirectoryOptions = {}) {
  const { now = Date.now } = options;
  const uuid = basename(directory);
  const more = { createdAt: new Date(now()).toISOString(), processId: 1, hostname: 'here' };
  const metadata = {
    ...newRun(uuid),
    ...more,
    taskKeyHash: '',
    inheritedFromUuid: null,
    inheritanceDepth: 0,
  };
  await writeFile(join(directory, 'metadata.json'), formatMetadata(metadata));
  const record = join(directory, 'messages.jsonl');
  if (!(await readFileIfThere(record))) {
    await writeFile(record, sealLine(formatOpened(metadata), { previous: '', owner: null }).bytes);
  }
  return openDirectory(directory, { ...options, parseMessage });
}

/** End of a run of these tests. */
export const end = {
  status: 'completed',
  reason: null,
  finalText: 'Done.',
  statistics: { modelCalls: 1, toolCalls: 2, inputTokens: 3, outputTokens: 4, durationMs: 5 },
} as const;

export function says(role: TestMessage['role'], content: TestMessage['content']): MessageEvent<TestMessage> {
  return { type: 'message', message: { role, content }, usage: null, delivers: [] };
}

export async function toArray<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** An answer of the model that calls a tool. */
export function calls(...ids: readonly string[]): MessageEvent<TestMessage> {
  const content = ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: {} }));
  return { ...says('assistant', content), usage: { inputTokens: 1, outputTokens: 1 } };
}

/** Makes the message with the result of one call. */
export function gives(toolCallId: string): MessageEvent<TestMessage> {
  const output = { type: 'text', value: 'line 1' };
  return says('tool', [{ type: 'tool-result', toolCallId, toolName: 'read', output }]);
}

/** A logger that remembers what it was told, without the errors. */
export function createLog(): { readonly logger: Logger; readonly messages: string[] } {
  const messages: string[] = [];
  const note = (_: object, message: string) => void messages.push(message);
  return { messages, logger: { debug: note, info: note, warn: note, error: note } };
}

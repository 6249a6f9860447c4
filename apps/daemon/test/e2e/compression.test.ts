import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '@agent/simulators/model';
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { listTurns } from '../support/model-requests.ts';
import { projectFiles, repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const summary = 'Read so far: notes.md, over and over. Nothing was changed. To do: say that it is done.';

/** Thinks aloud and reads until its context was summarized, then answers. A request without tools asks for the summary. */
const readUntilSummarized: Script = (view) => {
  if (view.tools.length === 0) return { text: summary };
  if (view.messages.some(({ role, text }) => role === 'assistant' && text.includes(summary))) {
    return { text: 'Done after a summary.' };
  }
  const offset = view.exchanges.length + 1;
  return {
    text: `Thoughts about line ${offset}: ${'it says nothing new about the task at hand. '.repeat(60)}`,
    toolCalls: [{ name: 'read_file', input: { path: 'notes.md', offset } }],
  };
};

it('goes on with a summary when the context fills its share of the window, and keeps the truth [RL-13]', {
  tags: ['full'],
}, async () => {
  const notes = Array.from({ length: 60 }, (_, line) => `Line ${line} of some notes about nothing.`).join(
    '\n',
  );
  world = await startWorld({
    script: readUntilSummarized,
    files: { ...projectFiles, 'notes.md': notes },
    llm: { context_length: 12_000 },
    config: { context_storage: { keep_recent_messages: 3 } },
  });
  const { number } = world.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'Read the notes',
    body: 'Please.',
    labels: ['coding agent'],
  });
  expect((await startDaemonProcess(world.configFile).exited).code).toBe(0);
  expect(world.thread(number).labels).toEqual(['coding agent done']);
  expect(world.thread(number).comments[0]?.body).toContain('Done after a summary.');

  const requests = listTurns(world.model);
  const last = requests.at(-1) ?? '';
  expect(last).toContain(summary);
  expect(last).toContain('You are a software engineer.');
  expect(last.length).toBeLessThan(Math.max(...requests.map((request) => request.length)));

  const completed = join(world.directory, 'contexts', 'completed');
  const [uuid = ''] = await readdir(completed);
  const lines = async (file: string): Promise<Record<string, unknown>[]> =>
    (await readFile(join(completed, uuid, file), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(await lines('summaries.jsonl')).toEqual([
    expect.objectContaining({ id: 1, summary }),
    expect.objectContaining({ id: 2, final: true, summary: 'In the end: Done after a summary.' }),
  ]);
  const reads = (await lines('messages.jsonl')).filter((line) => line.role === 'tool').length;
  expect(reads).toBeGreaterThan(3);
  expect(requests).toHaveLength(reads + 2);
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { RunStorage } from '@agent/run-store';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { createMemoryStorage } from '@agent/run-store/testing';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, openReader, readServiceState } from '../src/index.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embed-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** Gives an assigned thread to an orchestrator, and runs that once. */
async function answerOnce({ storage }: { readonly storage?: RunStorage } = {}) {
  const memory = createMemoryPlatform({ answersOnly: true });
  const key = memory.people.openIssue({ author: 'octo', title: 'What is two and two?', body: 'Please.' });
  memory.people.assign(key, ['agent']);
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'It is four.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [],
    },
  });
  // As in the tests of the daemon: the scripted model runs no command.
  const settings = parseRunSettings({
    planning: { enabled: false },
    tools: { run_command: { sandbox: 'off', allow_root: true } },
  });
  const platforms = [memory];
  const orchestrator = createOrchestrator({ platforms, model, directory, storage, settings });
  expect(await orchestrator.run({ once: true })).toBe(true);
  const { comments } = await memory.openThread(key).comments.listComments({ since: null });
  expect(comments.at(-1)?.body).toContain('It is four.');
  expect((await memory.openThread(key).reader.readThread()).assignees).toEqual([]);
  expect(orchestrator.board.state.counts.runsEnded.answered).toBe(1);
}

it('somebody embeds the orchestrator without labels: an assigned thread gets its answer, and is assigned no more', () =>
  answerOnce());

it.each([
  ['memory', async () => createMemoryStorage()],
  [
    'a database',
    async () => {
      const database = await connectPostgres({ url: await findSharedPostgres() });
      return createPostgresStorage({ database, schema: `s${randomUUID().replaceAll('-', '')}` });
    },
  ],
])(
  'runs are kept in %s that somebody gives, and none in files',
  { tags: ['full'] },
  async (_, openStorage) => {
    const storage = await openStorage();
    try {
      await answerOnce({ storage });
      const { recent, running } = await openReader(storage).readOverview({ recent: 10 });
      expect({ running, ended: recent.map(({ status }) => status) }).toEqual({
        running: [],
        ended: ['answered'],
      });
      const { problems } = await readServiceState({ storage, now: Date.now() });
      expect(problems).toEqual([]);
      expect(await readdir(directory)).not.toContain('contexts');
      expect(await storage.members.list()).toEqual([]);
    } finally {
      await storage.close();
    }
  },
);

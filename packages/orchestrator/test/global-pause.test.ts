import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { RunStorage } from '@agent/run-store';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { createMemoryStorage } from '@agent/run-store/testing';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readServiceState } from '../src/board/read-service-state.ts';
import { parseRunSettings } from '../src/config/index.ts';
import { openFileStorage, toRecordDirectories } from '../src/host/open-storage.ts';
import { createOrchestrator } from '../src/index.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'paused-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const storages: readonly (readonly [string, () => Promise<RunStorage>])[] = [
  ['memory', async () => createMemoryStorage()],
  ['files', () => openFileStorage(toRecordDirectories(join(directory, 'contexts')))],
  [
    'PostgreSQL',
    async () => {
      const database = await connectPostgres({ url: await findSharedPostgres() });
      return createPostgresStorage({ database, schema: `paused_${randomUUID().replaceAll('-', '')}` });
    },
  ],
];

it.each(storages)(
  'a pause of everything pauses the run at work, and the task behind it waits until everything is resumed (%s) [RL-2]',
  async (_, open) => {
    const opened = await open();
    let reads = 0;
    const isSet = () => {
      reads += 1;
      return opened.pauseSignal.isSet();
    };
    const storage = { ...opened, pauseSignal: { ...opened.pauseSignal, isSet } };
    const platform = createMemoryPlatform({ answersOnly: true });
    const keys = ['one', 'two'].map((title) => {
      const key = platform.people.openIssue({ author: 'octo', title, body: 'Please.' });
      platform.people.assign(key, ['agent']);
      return key;
    });
    let asked = 0;
    let answers = false;
    const model = new MockLanguageModelV4({
      doGenerate: async ({ abortSignal }) => {
        asked += 1;
        while (!answers) await wait(10, undefined, { signal: abortSignal });
        return {
          content: [{ type: 'text', text: 'It is four.' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: {
            inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 5, text: 5, reasoning: 0 },
          },
          warnings: [],
        };
      },
    });
    const ending = new AbortController();
    const orchestrator = createOrchestrator({
      ...{ platforms: [platform], model, directory, storage, concurrency: 1, pollIntervalMs: 50 },
      settings: parseRunSettings({
        planning: { enabled: false },
        tools: { run_command: { sandbox: 'off', allow_root: true } },
      }),
    });
    const running = orchestrator.run({ signal: ending.signal });
    const read = async () => {
      const reader = storage.openReader({ parseMessage: (json) => json as never });
      const { running: atWork, paused, recent } = await reader.readOverview({ recent: 5 });
      return [atWork.length, paused.length, recent.length];
    };
    const within = { timeout: 30_000, interval: 50 };
    await expect.poll(() => asked, within).toBe(1);
    await storage.pauseSignal.set({ by: 'carol' });
    await expect.poll(read, within).toEqual([0, 1, 0]);
    const before = asked;
    // Several polls, in each of which the queue has room.
    const readBefore = reads;
    await expect.poll(() => reads, within).toBeGreaterThan(readBefore + 20);
    expect([asked, await read()]).toEqual([before, [0, 1, 0]]);
    const { problems } = await readServiceState({ storage, now: Date.now() });
    expect(problems).toMatchObject([{ cause: 'paused_all', by: 'carol' }]);
    answers = true;
    await storage.pauseSignal.clear();
    await expect.poll(read, within).toEqual([0, 0, 2]);
    expect(keys.map((key) => platform.people.commentsOn(key).length > 0)).toEqual([true, true]);
    ending.abort();
    await running;
    await storage.close();
  },
  90_000,
);

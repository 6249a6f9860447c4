import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform, type MemoryPlatform, type TaskKey } from '@agent/platforms';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, type WorkRole } from '../src/index.ts';

let directory: string;
let schema: string;
let ends: (() => Promise<unknown>)[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'many-'));
  schema = `many_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  ends = [];
});
afterEach(async () => {
  await Promise.all(ends.map((end) => end()));
  await rm(directory, { recursive: true, force: true });
});

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const settings = parseRunSettings({
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
});

/** A model that answers when it is told to, and counts who asked. */
function createHeldModel() {
  const asked: string[] = [];
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const modelOf = (name: string) =>
    new MockLanguageModelV4({
      doGenerate: async ({ abortSignal }) => {
        asked.push(name);
        const aborted = new Promise<never>((_, reject) => {
          abortSignal?.addEventListener('abort', () => reject(abortSignal.reason), { once: true });
        });
        await Promise.race([held, aborted]);
        return {
          content: [{ type: 'text', text: 'It is four.' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage,
          warnings: [],
        };
      },
    });
  return { asked, answer, modelOf };
}

/** Starts a process with this part in the work; all of them share a place and a platform. */
async function start(name: string, { role, platform, model }: StartOptions) {
  const database = await connectPostgres({ url: await findSharedPostgres() });
  const storage = createPostgresStorage({ database, schema });
  const orchestrator = createOrchestrator({
    ...{ platforms: [platform], model, storage, role, settings },
    directory: join(directory, name),
    pollIntervalMs: 50,
  });
  const ending = new AbortController();
  const running = orchestrator.run({ signal: ending.signal });
  const end = async () => {
    ending.abort();
    await running;
    await storage.close();
  };
  ends.push(end);
  return { ...orchestrator, end, storage };
}

interface StartOptions {
  readonly role: WorkRole;
  readonly platform: MemoryPlatform;
  readonly model: MockLanguageModelV4;
}

async function readBodies(platform: MemoryPlatform, key: TaskKey): Promise<readonly string[]> {
  const { comments } = await platform.openThread(key).comments.listComments({ since: null });
  return comments.map(({ body }) => body);
}

const waiting = { timeout: 90_000, interval: 50 };

describe('processes that share a place', { timeout: 120_000 }, () => {
  it('look and work apart: of two that look one leads, and each thread has one run [NX-136]', async () => {
    const platform = createMemoryPlatform({ answersOnly: true });
    const { asked, answer, modelOf } = createHeldModel();
    answer();
    const startAs = (role: WorkRole, names: readonly string[]) =>
      Promise.all(names.map((name) => start(name, { role, platform, model: modelOf(name) })));
    const lookers = await startAs('look', ['look-1', 'look-2']);
    const workers = await startAs('work', ['work-1', 'work-2']);
    const keys = ['one', 'two', 'three'].map((title) => {
      const key = platform.people.openIssue({ author: 'octo', title, body: 'Please.' });
      platform.people.assign(key, ['agent']);
      return key;
    });
    const count = () => workers.reduce((sum, { board }) => sum + board.state.counts.runsEnded.completed, 0);
    await expect.poll(count, waiting).toBe(3);
    for (const key of keys) {
      const bodies = await readBodies(platform, key);
      expect(bodies.filter((body) => body.includes('It is four.'))).toHaveLength(1);
    }
    expect(asked.every((name) => name.startsWith('work'))).toBe(true);
    expect(lookers.map(({ board }) => board.state.counts.runsEnded.completed)).toEqual([0, 0]);
  });

  it('go on with the work of one that was told to end [NX-137]', async () => {
    const platform = createMemoryPlatform({ answersOnly: true });
    const { asked, answer, modelOf } = createHeldModel();
    const first = await start('first', { role: 'both', platform, model: modelOf('first') });
    const key = platform.people.openIssue({ author: 'octo', title: 'one', body: 'Please.' });
    platform.people.assign(key, ['agent']);
    await expect.poll(() => asked, waiting).toEqual(['first']);
    const second = await start('second', { role: 'both', platform, model: modelOf('second') });
    answer();
    await first.end();
    const completed = () =>
      [first, second].reduce((sum, { board }) => sum + board.state.counts.runsEnded.completed, 0);
    await expect.poll(completed, waiting).toBe(1);
    const bodies = await readBodies(platform, key);
    expect(bodies.filter((body) => body.includes('It is four.'))).toHaveLength(1);
  });
});

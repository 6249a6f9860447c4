// @module-tag full
import { join } from 'node:path';
import { PlatformError, type TaskKey } from '@agent/platforms';
import { createMemoryPlatform, type MemoryPlatform } from '@agent/platforms/memory';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, type WorkRole } from '../src/index.ts';
import { useSharedPlace } from './shared-place.ts';

const place = useSharedPlace('many');

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

/** Opens a process with this part in the work; all of them share a place and a platform. */
async function open(name: string, { role, platform, model }: StartOptions) {
  const database = await connectPostgres({ url: await findSharedPostgres() });
  const storage = createPostgresStorage({ database, schema: place.schema });
  const orchestrator = createOrchestrator({
    ...{ platforms: [platform], model, storage, role, settings },
    directory: join(place.directory, name),
    pollIntervalMs: 50,
  });
  return { storage, orchestrator };
}

async function start(name: string, options: StartOptions) {
  const { storage, orchestrator } = await open(name, options);
  const ending = new AbortController();
  const running = orchestrator.run({ signal: ending.signal });
  const end = async () => {
    ending.abort();
    await running;
    await storage.close();
  };
  place.ends.push(end);
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

/** Runs a process until nothing is left to do, and tells how many runs it completed. */
async function runOnce(name: string, options: Omit<StartOptions, 'role'>): Promise<number> {
  const { storage, orchestrator } = await open(name, { ...options, role: 'both' });
  place.ends.push(storage.close);
  expect(await orchestrator.run({ once: true })).toBe(true);
  return orchestrator.board.state.counts.runsEnded.answered;
}

const waiting = { timeout: 90_000, interval: 50 };

describe('processes that share a place', () => {
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
    const count = () => workers.reduce((sum, { board }) => sum + board.state.counts.runsEnded.answered, 0);
    await expect.poll(count, waiting).toBe(3);
    for (const key of keys) {
      const bodies = await readBodies(platform, key);
      expect(bodies.filter((body) => body.includes('It is four.'))).toHaveLength(1);
    }
    expect(asked.every((name) => name.startsWith('work'))).toBe(true);
    expect(lookers.map(({ board }) => board.state.counts.runsEnded.answered)).toEqual([0, 0]);
  });

  it('go on with the work of one that was told to end [NX-137] [NX-138]', async () => {
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
      [first, second].reduce((sum, { board }) => sum + board.state.counts.runsEnded.answered, 0);
    await expect.poll(completed, waiting).toBe(1);
    const bodies = await readBodies(platform, key);
    expect(bodies.filter((body) => body.includes('It is four.'))).toHaveLength(1);
  });
});

describe('a run whose end cannot be shown', () => {
  it('leaves its thread free for another run, and is shown once it can be [NX-159]', {
    tags: ['full'],
  }, async () => {
    let isRefusing = true;
    const platform = refuseFinals(createMemoryPlatform({ answersOnly: true }), () => isRefusing);
    const { asked, answer, modelOf } = createHeldModel();
    answer();
    await start('look', { role: 'look', platform, model: modelOf('look') });
    const workers = [
      await start('one', { role: 'work', platform, model: modelOf('one') }),
      await start('two', { role: 'work', platform, model: modelOf('two') }),
    ];
    const key = platform.people.openIssue({ author: 'octo', title: 'one', body: 'Please.' });
    platform.people.assign(key, ['agent']);
    const open = () => workers.reduce((sum, { board }) => sum + board.state.outboxes.size, 0);
    await expect.poll(open, waiting).toBeGreaterThan(0);
    platform.people.assign(key, []);
    platform.people.assign(key, ['agent']);
    await expect.poll(() => asked.length, waiting).toBe(2);
    isRefusing = false;
    const finals = async () =>
      (await readBodies(platform, key)).filter((body) => body.includes('It is four.')).length;
    await expect.poll(finals, waiting).toBe(2);
    await expect.poll(open, waiting).toBe(0);
  });
});

describe('a task that one process could not begin', () => {
  it('is shown as pending by no process any more once another one has finished it', {
    tags: ['full'],
  }, async () => {
    const platform = createMemoryPlatform({ answersOnly: true });
    const { asked, answer, modelOf } = createHeldModel();
    answer();
    await start('look', { role: 'look', platform, model: modelOf('look') });
    const refused = await start('one', {
      role: 'work',
      platform: refuseThreads(platform),
      model: modelOf('one'),
    });
    const key = platform.people.openIssue({ author: 'octo', title: 'one', body: 'Please.' });
    platform.people.assign(key, ['agent']);
    const open = () => [...refused.board.state.conditions.keys()].filter((part) => part.startsWith('outbox'));
    await expect.poll(open, waiting).toHaveLength(1);
    await start('two', { role: 'work', platform, model: modelOf('two') });
    await expect.poll(() => asked, waiting).toEqual(['two']);
    await expect.poll(open, waiting).toEqual([]);
  });
});

/** The same platform for a process whose account reads no threads. */
function refuseThreads(platform: MemoryPlatform): MemoryPlatform {
  return {
    ...platform,
    openThread: (key) => {
      const ports = platform.openThread(key);
      const readThread = () => Promise.reject(new PlatformError('No access.', { code: 'forbidden' }));
      return { ...ports, reader: { ...ports.reader, readThread } };
    },
  };
}

/** The same platform, which refuses final comments as long as `isRefusing` says so. */
function refuseFinals(platform: MemoryPlatform, isRefusing: () => boolean): MemoryPlatform {
  return {
    ...platform,
    openThread: (key) => {
      const ports = platform.openThread(key);
      const ensureComment: typeof ports.writer.ensureComment = async (comment, ...rest) => {
        if (isRefusing() && comment.topic.endsWith(':final'))
          throw new PlatformError('Comments are locked.', { code: 'forbidden' });
        return ports.writer.ensureComment(comment, ...rest);
      };
      return { ...ports, writer: { ...ports.writer, ensureComment } };
    },
  };
}

describe('a process that ends when nothing is left to do', () => {
  const openTask = (platform: MemoryPlatform): void => {
    const key = platform.people.openIssue({ author: 'octo', title: 'one', body: 'Please.' });
    platform.people.assign(key, ['agent']);
  };

  it('looks for tasks itself, though another one leads, or did before it died [NX-166]', async () => {
    const platform = createMemoryPlatform({ answersOnly: true });
    const { answer, modelOf } = createHeldModel();
    answer();
    const database = await connectPostgres({ url: await findSharedPostgres() });
    const leader = createPostgresStorage({ database, schema: place.schema });
    place.ends.push(leader.close);
    expect(await leader.sharing?.lead('look').isLeading()).toBe(true);
    openTask(platform);
    expect(await runOnce('once', { platform, model: modelOf('once') })).toBe(1);
  });

  it('takes up at once what another one left for later, and each thread one time [NX-166]', {
    tags: ['full'],
  }, async () => {
    const platform = createMemoryPlatform({ answersOnly: true });
    const { asked, answer, modelOf } = createHeldModel();
    const first = await start('first', { role: 'both', platform, model: modelOf('first') });
    openTask(platform);
    await expect.poll(() => asked, waiting).toEqual(['first']);
    const ended = first.end();
    answer();
    await ended;
    expect(first.board.state.counts.runsEnded.answered).toBe(0);
    expect(await runOnce('once', { platform, model: modelOf('once') })).toBe(1);
    expect(await runOnce('again', { platform, model: modelOf('again') })).toBe(0);
  });
});

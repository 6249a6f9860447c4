import { setTimeout as wait } from 'node:timers/promises';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { RunStorage } from '@agent/run-store';
import { connectPostgres, createPostgresStorage, type Database } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { MockLanguageModelV4 } from 'ai/test';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, type OrchestratorOptions } from '../src/index.ts';
import { useSharedPlace } from './shared-place.ts';

const settings = parseRunSettings({ tools: { run_command: { sandbox: 'off', allow_root: true } } });

const place = useSharedPlace('ended');

/** Reaches the place that all processes of a test share, as one of them; `count` tells how many listen by it. */
async function openStorage(): Promise<{ storage: RunStorage; count: () => number }> {
  const database = await connectPostgres({ url: await findSharedPostgres() });
  const listeners = new Set<symbol>();
  const listen: Database['listen'] = async (...given) => {
    const [listener, end] = [Symbol('listener'), await database.listen(...given)];
    listeners.add(listener);
    return async () => {
      listeners.delete(listener);
      await end();
    };
  };
  const storage = createPostgresStorage({ database: { ...database, listen }, schema: place.schema });
  place.ends.push(storage.close);
  return { storage, count: () => listeners.size };
}

function openProcess(storage: RunStorage, options: Partial<OrchestratorOptions> = {}) {
  const platforms = [createMemoryPlatform()];
  const model = new MockLanguageModelV4({});
  return createOrchestrator({ platforms, model, storage, settings, directory: place.directory, ...options });
}

const isAway = async (): Promise<never> => {
  throw new Error('It is away.');
};

describe('a process that cannot go on', () => {
  it('gives up at once that it looks for tasks, where it could not connect', async () => {
    const { storage, count } = await openStorage();
    await expect(openProcess(storage, { platforms: isAway }).run()).rejects.toThrow('It is away.');
    expect(count()).toBe(0);
    const next = (await openStorage()).storage.sharing?.lead('look');
    expect(await next?.isLeading()).toBe(true);
    await next?.resign();
  });

  it('leaves nothing open, where it could not read what waits', async () => {
    const { storage, count } = await openStorage();
    const { sharing } = storage;
    if (sharing === null) throw new Error('Nothing is shared here.');
    const opened = Promise.withResolvers<unknown>();
    const openQueue: typeof sharing.openQueue = (options) => {
      const queue = sharing.openQueue(options);
      opened.resolve(queue.waiting());
      return queue;
    };
    const list = () => opened.promise.then(isAway);
    const broken: RunStorage = {
      ...storage,
      controls: { ...storage.controls, list },
      sharing: { ...sharing, openQueue },
    };
    await expect(openProcess(broken).run({ once: true })).rejects.toThrow('It is away.');
    expect(count()).toBe(0);
  });
});

it('a process that leads from its beginning polls its platforms once then', async () => {
  const { storage } = await openStorage();
  const messages: unknown[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => messages.push(JSON.parse(line).msg) });
  const pollIntervalMs = 86_400_000;
  const [rested, ending] = [Promise.withResolvers<void>(), new AbortController()];
  const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    if (milliseconds > pollIntervalMs / 2) rested.resolve();
    await wait(milliseconds < 3_000 ? 0 : milliseconds, undefined, { signal }).catch(() => {});
  };
  const running = openProcess(storage, { logger, pollIntervalMs, sleep }).run({ signal: ending.signal });
  await Promise.race([rested.promise, running]);
  ending.abort();
  await running;
  expect(messages.filter((message) => /polled for tasks|polling/.test(String(message)))).toEqual([
    'started polling: this process is the leader',
    'polled for tasks',
  ]);
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, NewRun, RunEnd, RunStorage, WholeRunStore } from '@agent/run-store';
import { createFileStorage } from '@agent/run-store/file';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { toReport } from '../../src/board/process-reports.ts';
import { silentLogger } from '../../src/host/ports.ts';
import type { WaitingEntry } from '../../src/index.ts';
import { readServiceState, TaskBoard } from '../../src/index.ts';
import { createRunsWatch, type RunsWatch, type RunsWatchOptions } from '../../src/watch/index.ts';

/** Message of these tests. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** A place for runs that several processes open. */
interface WatchPlace {
  readonly open: () => RunStorage;
  readonly close: () => Promise<void>;
}

async function openFiles(now: () => number): Promise<WatchPlace> {
  const baseDirectory = await mkdtemp(join(tmpdir(), 'watch-'));
  return {
    open: () => createFileStorage({ baseDirectory, now }),
    close: () => rm(baseDirectory, { recursive: true, force: true }),
  };
}

async function openDatabase(now: () => number): Promise<WatchPlace> {
  const schema = `watch_${randomUUID().replaceAll('-', '')}`.slice(0, 40);
  const opened: RunStorage[] = [];
  const url = await findSharedPostgres();
  const databases = await Promise.all([connectPostgres({ url }), connectPostgres({ url })]);
  return {
    open: () => {
      const database = databases[opened.length];
      if (database === undefined) throw new Error('Two processes are enough.');
      const storage = createPostgresStorage({ database, schema, now });
      opened.push(storage);
      return storage;
    },
    close: async () => {
      await databases[0]?.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await Promise.all(opened.map((storage) => storage.close()));
    },
  };
}

/** Places that are watched in these tests. */
export const places = [
  ['files', openFiles],
  ['PostgreSQL', openDatabase],
] as const;

/** A process that works on runs, and one that watches them. */
export interface WatchBed {
  readonly storage: RunStorage;
  readonly store: WholeRunStore<Message>;
  readonly watch: RunsWatch;
  readonly board: TaskBoard;
  readonly queue: WaitingEntry[];
  /** Milliseconds since 1970. */
  time: number;
  /** Opens a further picture that knows nothing yet. */
  readonly watchAnew: (options?: Partial<RunsWatchOptions>) => RunsWatch;
  /** Lets the sleeps that are under way end. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

export async function openWatchBed(openPlace: (typeof places)[number][1]): Promise<WatchBed> {
  const clock = { time: Date.parse('2026-03-01T12:00:00Z') };
  const now = () => clock.time;
  const place = await openPlace(now);
  const storage = place.open();
  const watched = place.open();
  const owner = await storage.members.acquire();
  const store = storage.openStore<Message>({ owner, parseMessage: (json) => json as Message });
  const board = new TaskBoard({ now });
  const queue: WaitingEntry[] = [];
  const sleeps = new Set<() => void>();
  const sleep = (_: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const end = () => {
        sleeps.delete(end);
        resolve();
      };
      sleeps.add(end);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
  const watchAnew = (options: Partial<RunsWatchOptions> = {}) =>
    createRunsWatch({
      ...{ storage: watched, board, logger: silentLogger },
      queue: { waiting: async () => [...queue] },
      about: {
        locale: 'en',
        model: () => 'a-model',
      },
      readService: async () => {
        const process = { number: owner.number, host: hostname(), role: 'both', version: '1.2.3' } as const;
        const redact = (text: string) => text.replaceAll('hunter2', '***');
        const about = { process: { ...process, startedAt: now(), concurrency: 3 }, redact };
        const own = { ...toReport(board.state, about), isEnding: false };
        return readServiceState({ storage: watched, now: now(), own });
      },
      budgets: { money: null, requests: () => [] },
      redact: (text) => text.replaceAll('hunter2', '***'),
      clock: { now, sleep },
      ...options,
    });
  return {
    ...{ storage, store, board, queue, watchAnew, watch: watchAnew() },
    get time() {
      return clock.time;
    },
    set time(time) {
      clock.time = time;
    },
    wake: () => {
      for (const end of [...sleeps]) end();
    },
    close: async () => {
      await owner.release();
      await place.close();
    },
  };
}

/** A run of `acme/shop`, or of another repository. */
export function runOf(
  number: number,
  {
    repository = 'acme/shop',
    extra = {},
  }: { readonly repository?: string; readonly extra?: JsonObject } = {},
): NewRun {
  const [owner = '', repo = ''] = repository.split('/');
  return {
    uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    taskKey: { type: 'github_issue', owner, repo, number },
    taskKeyText: `github_issue:${owner}:${repo}:${number}`,
    host: 'github.com',
    user: 'agent',
    config: { llm_provider: 'lmstudio', model: 'a-model' },
    extra: {
      title: `Task ${number}`,
      url: `https://github.com/${repository}/issues/${number}`,
      number,
      ...extra,
    },
  };
}

export const end: RunEnd = {
  status: 'completed',
  reason: null,
  finalText: 'Done.',
  statistics: { modelCalls: 1, toolCalls: 0, inputTokens: 10, outputTokens: 5, durationMs: 5 },
};

/** All rows. */
export const allRows = {
  ...{ state: null, repository: null, text: null, after: null },
  limit: 1_000,
} as const;

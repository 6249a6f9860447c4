import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPostgresQueue, type Database, type PostgresQueueOptions } from '../src/postgres/index.ts';
import type { EntryRules, TaskQueue, WorkResult } from '../src/task-queue.ts';

/** An entry of the tests: its group is what stands before `#`. */
export interface Task {
  readonly key: string;
  readonly priority?: number;
}

/** Time of one process: it passes when the test says so. */
export function createTestTime() {
  const state = { ms: Date.parse('2026-03-01T12:00:00Z') };
  const sleepers = new Set<{ readonly endsAt: number; readonly wake: () => void }>();
  return {
    now: () => state.ms,
    sleep: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const sleeper = {
          endsAt: state.ms + milliseconds,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal.addEventListener('abort', sleeper.wake, { once: true });
        // A signal that was aborted before tells nobody.
        if (signal.aborted) sleeper.wake();
      }),
    pass: (milliseconds: number): void => {
      state.ms += milliseconds;
      for (const { endsAt, wake } of [...sleepers]) if (endsAt <= state.ms) wake();
    },
  };
}

export type TestTime = ReturnType<typeof createTestTime>;

const parseTask = (json: unknown): Task => {
  const { key } = json as { readonly key?: unknown };
  if (typeof key !== 'string') throw new Error('An entry without a key.');
  return json as Task;
};

const taskRules: EntryRules<Task> = {
  toGroup: ({ key }) => key.split('#')[0] ?? '',
  toPriority: ({ priority = 0 }) => priority,
};

type OpenOptions = Partial<Omit<PostgresQueueOptions<Task>, 'rules'>> & {
  readonly rules?: Partial<EntryRules<Task>>;
};

/** One process of a queue, with a clock of its own. */
export interface TestProcess extends TaskQueue<Task> {
  readonly time: TestTime;
  /** Resolves when the server has answered all that it asks. */
  readonly settled: () => Promise<void>;
}

export interface QueueBed {
  readonly database: Database;
  readonly schema: string;
  /** Opens the queue as one more process. */
  readonly open: (options?: OpenOptions) => TestProcess;
  /** Makes so many seconds pass on the clock of the queue's tables. */
  readonly age: (seconds: number) => Promise<void>;
  /** States of the jobs that are no more than waiting or at work, by key. */
  readonly states: () => Promise<Readonly<Record<string, string>>>;
  readonly close: () => Promise<void>;
}

export async function makeQueueBed(database: Database): Promise<QueueBed> {
  const schema = `queue_${randomUUID().replaceAll('-', '')}`;
  const opened: TaskQueue<Task>[] = [];
  let age = 0;
  let aging: Promise<unknown> = Promise.resolve();
  return {
    ...{ database, schema },
    open: ({ rules, ...options } = {}) => {
      const time = createTestTime();
      const { counted, settled } = countAsked(options.database ?? database);
      const queue = createPostgresQueue<Task>({
        ...{
          schema,
          parseEntry: parseTask,
          concurrency: 1,
          now: time.now,
          sleep: time.sleep,
          random: () => 0,
        },
        ...options,
        ...{ database: counted, rules: { ...taskRules, ...rules } },
      });
      opened.push(queue);
      return { ...queue, time, settled };
    },
    age: (seconds) => {
      age += seconds;
      const toText = () => `CREATE OR REPLACE FUNCTION ${schema}.job_now() RETURNS timestamptz AS
         $$ SELECT now() + interval '${age} seconds' $$ LANGUAGE sql STABLE`;
      aging = aging.then(() => database.query(toText()));
      return aging.then(() => undefined);
    },
    states: async () => {
      const rows = await database.query<{ key: string; state: string }>(
        `SELECT singleton_key AS key, state::text FROM ${schema}.job WHERE state <= 'active' ORDER BY 1`,
      );
      return Object.fromEntries(rows.map(({ key, state }) => [key, state]));
    },
    close: async () => {
      // A test that failed in the middle ended nothing.
      for (const abandon of abandons.splice(0)) abandon();
      await Promise.all(opened.map(({ close }) => close()));
      await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await database.close();
    },
  };
}

/** Counts what is asked of a database and not answered yet. */
function countAsked(database: Database) {
  let asked = 0;
  const count = <Result>(answer: Promise<Result>): Promise<Result> => {
    asked += 1;
    return answer.finally(() => {
      asked -= 1;
    });
  };
  const counted: Database = {
    ...database,
    query: (...given) => count(database.query(...given)),
    transaction: (...given) => count(database.transaction(...given)),
    listen: (...given) => count(database.listen(...given)),
  };
  const settled = async (): Promise<void> => {
    // What an answer leads to is asked before the next turn.
    for (let quiet = 0; quiet < 3; quiet = asked === 0 ? quiet + 1 : 0) await setImmediate();
  };
  return { counted, settled };
}

/** Ends of the work of this file's tests. */
const abandons: (() => void)[] = [];

/** Work that runs until it is told how it ends, or its bed is closed. */
export function openWork() {
  const begun: string[] = [];
  const running = new Map<string, (result: WorkResult) => void>();
  const abandoned = Promise.withResolvers<WorkResult>();
  abandons.push(() => abandoned.resolve('later'));
  return {
    begun,
    running,
    workOn: ({ key }: Task): Promise<WorkResult> => {
      if (running.has(key)) throw new Error(`Two entries of ${key} run at the same time.`);
      begun.push(key);
      const { promise, resolve } = Promise.withResolvers<WorkResult>();
      running.set(key, resolve);
      return Promise.race([promise, abandoned.promise]).finally(() => running.delete(key));
    },
    end: (key: string, result: WorkResult = 'done'): void => running.get(key)?.(result),
  };
}

const program = fileURLToPath(new URL('queue-worker.ts', import.meta.url));

/** Starts a process that works on the queue, and never ends what it begins. */
export async function startWorker(
  url: string,
  { schema }: Pick<QueueBed, 'schema'>,
): Promise<{
  child: ChildProcess /** The first key that it began. */;
  begun: string;
  remove: () => Promise<void>;
}> {
  const given = ['--conditions=@agent/source', program, url, schema];
  const child = spawn(process.execPath, given, { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const [data] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  const remove = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  return { child, begun: String(data).trim(), remove };
}

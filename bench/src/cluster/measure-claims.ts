import { performance } from 'node:perf_hooks';
import { connectPostgres, createPostgresQueue, type Database } from '@agent/run-store/postgres';
import type { BenchServer } from './bench-server.ts';

/** How long workers take to get a task out of a long queue. */
export interface ClaimTimes {
  readonly workers: number;
  /** Tasks that waited at the beginning. */
  readonly waiting: number;
  /** Milliseconds by the clock of each claim: its transaction, with the wait for those of others. */
  readonly claims: readonly number[];
}

interface ClaimOptions {
  readonly waiting: number;
  readonly repositories: number;
  /** Numbers of workers, one after the other on the same queue. */
  readonly workers: readonly number[];
  /** Claims in each turn. */
  readonly claims: number;
}

/** Connections that fill the queue. */
const connections = 8;

interface Waiting {
  readonly key: string;
  readonly group: string;
}

/** Fills a queue, and has it worked off for a while by this many workers, each with connections of its own. */
export async function measureClaims(
  server: BenchServer,
  options: ClaimOptions,
): Promise<readonly ClaimTimes[]> {
  const schema = server.nameSchema();
  await fill(server, { ...options, schema });
  const turns: ClaimTimes[] = [];
  let { waiting } = options;
  for (const workers of options.workers) {
    turns.push({ workers, waiting, claims: await claim(server, { schema, workers, count: options.claims }) });
    waiting -= options.claims;
  }
  return turns;
}

async function fill(
  { url }: BenchServer,
  { schema, waiting, repositories }: ClaimOptions & { readonly schema: string },
): Promise<void> {
  const database = await connectPostgres({ url });
  const queue = openQueue(database, schema);
  let next = 0;
  const add = async (): Promise<void> => {
    while (next < waiting) {
      const number = next++;
      const group = `acme/shop-${number % repositories}`;
      await queue.add({ key: `${group}#${number}`, group });
    }
  };
  await Promise.all(Array.from({ length: connections }, add));
  await queue.close();
  await database.close();
}

/** Lets the workers take tasks that end at once, until so many were taken. */
async function claim(
  { url }: BenchServer,
  { schema, workers, count }: { readonly schema: string; readonly workers: number; readonly count: number },
): Promise<readonly number[]> {
  const times: number[] = [];
  const enough = new AbortController();
  const onClaim = (milliseconds: number): void => {
    times.push(milliseconds);
    if (times.length === count) enough.abort();
  };
  const work = async (): Promise<void> => {
    const database = await connectPostgres({ url });
    const queue = openQueue(timeClaims(database, onClaim), schema);
    await queue.work(async () => 'done', { signal: enough.signal });
    await queue.close();
    await database.close();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return times;
}

/** The same database; whoever has it alone for a while is timed. */
function timeClaims(database: Database, onClaim: (milliseconds: number) => void): Database {
  return {
    ...database,
    transaction: async (use, options) => {
      const startedAt = performance.now();
      const result = await database.transaction(use, options);
      if (options?.alone !== undefined) onClaim(performance.now() - startedAt);
      return result;
    },
  };
}

function openQueue(database: Database, schema: string) {
  return createPostgresQueue<Waiting>({
    database,
    schema,
    parseEntry: (json) => json as Waiting,
    rules: { toGroup: ({ group }) => group },
    concurrency: 1,
  });
}

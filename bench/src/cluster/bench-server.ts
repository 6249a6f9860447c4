import { randomUUID } from 'node:crypto';
import { connectPostgres, type Database } from '@agent/run-store/postgres';
import { startPostgres } from '@agent/simulators/postgres';
import { readServerTime } from './processor-time.ts';

/** A PostgreSQL of this machine that counts the statements it is sent, and waits for its disk as one that keeps its word does. */
export interface BenchServer {
  readonly url: string;
  /** Statements so far, without those of this bench; `BEGIN` and `COMMIT` are one each. */
  readonly countStatements: () => Promise<number>;
  /** Milliseconds that processors worked for the server, with all its processes. */
  readonly readProcessorMs: () => Promise<number>;
  /** Name of a schema that nobody has. */
  readonly nameSchema: () => string;
  readonly remove: () => Promise<void>;
}

/** Starts the server. */
export async function startBenchServer(): Promise<BenchServer> {
  const counting = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '10000' };
  const server = await startPostgres({ settings: { ...counting, fsync: 'on', max_connections: '200' } });
  const database = await connectPostgres({ url: server.url, maxConnections: 2 });
  await database.query('CREATE EXTENSION pg_stat_statements');
  return {
    url: server.url,
    countStatements: () => countStatements(database),
    readProcessorMs: async () => readServerTime(await findProcessId(database)),
    nameSchema: () => `bench_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
    remove: async () => {
      await database.close();
      await server.remove();
    },
  };
}

async function countStatements(database: Database): Promise<number> {
  const [row] = await database.query<{ calls: number }>(
    "SELECT sum(calls)::float8 AS calls FROM pg_stat_statements WHERE query !~ 'pg_stat_statements|postmaster.pid'",
    [],
  );
  return row?.calls ?? 0;
}

async function findProcessId(database: Database): Promise<number> {
  const [row] = await database.query<{ text: string }>("SELECT pg_read_file('postmaster.pid') AS text", []);
  return Number.parseInt(row?.text ?? '', 10);
}

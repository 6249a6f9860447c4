import { measureTasks, type TasksMemory } from '../memory/measure-tasks.ts';
import { toPerTask } from '../memory/memory-report.ts';
import type { BenchServer } from './bench-server.ts';

/** What runs hold that are kept in a database and wait for their models. */
export interface WaitingMemory {
  readonly runs: number;
  /** Of each run beside the first, after a collection. */
  readonly liveKb: number;
}

const runs = 25;

/** Measures one process that looks and works, with one run and with many. */
export async function measureWaiting(server: BenchServer): Promise<WaitingMemory> {
  const measure = (count: number): Promise<TasksMemory> => {
    const config = { storage: { postgres: { schema: server.nameSchema() } } };
    return measureTasks(count, { config, environment: { DATABASE_URL: server.url } });
  };
  const [first, many] = [await measure(1), await measure(runs)];
  return { runs, liveKb: toPerTask(many, { first, read: ({ liveKb }) => liveKb }) };
}

import { measureTasks, type TasksMemory } from '../memory/measure-tasks.ts';
import { toPerTask } from '../memory/memory-report.ts';
import type { BenchServer } from './bench-server.ts';

/** What runs hold that are kept in a database and wait for their models. */
export interface WaitingMemory {
  /** Runs of the two processes that are compared. */
  readonly runs: readonly [few: number, many: number];
  /** Of each further run, after a collection, without the program. */
  readonly liveKb: number;
  /** The same with the program, of which V8 compiles more while more runs begin. */
  readonly withCodeKb: number;
}

/** Few are enough for what the first runs load and compile for all. */
const [few, many] = [25, 50] as const;

/** Measures one process that looks and works, with few runs and with many. */
export async function measureWaiting(server: BenchServer): Promise<WaitingMemory> {
  const measure = (count: number): Promise<TasksMemory> => {
    const config = { storage: { postgres: { schema: server.nameSchema() } } };
    return measureTasks(count, { config, environment: { DATABASE_URL: server.url } });
  };
  const [first, last] = [await measure(few), await measure(many)];
  return {
    runs: [few, many],
    liveKb: toPerTask(last, { first, read: ({ liveKb, codeKb }) => liveKb - codeKb }),
    withCodeKb: toPerTask(last, { first, read: ({ liveKb }) => liveKb }),
  };
}

import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DaemonProcess, startDaemon } from '../daemon-process.ts';
import { startWorld, type World, type WorldOptions } from '../world.ts';
import type { BenchServer } from './bench-server.ts';
import { readProcessTime } from './processor-time.ts';

/** One process that looks for tasks and some that work, each as on a host of its own. */
export interface Cluster {
  readonly world: World;
  readonly processes: readonly DaemonProcess[];
  /** What all of it has used so far. */
  readonly readUse: () => Promise<Use>;
  /** Fails where a process ends meanwhile. */
  readonly whileRunning: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Resolves once all of them have begun their work. */
  readonly areReady: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export interface Use {
  readonly statements: number;
  /** Milliseconds of processor time of the daemons and what they started. */
  readonly daemonsMs: number;
  /** Of the database's server. */
  readonly serverMs: number;
}

interface ClusterOptions extends Pick<WorldOptions, 'script' | 'onModelCall' | 'concurrency'> {
  readonly workers: number;
  readonly pollIntervalSeconds: number;
}

/** Starts them in a schema that nobody has. */
export async function startCluster(
  server: BenchServer,
  { workers, ...options }: ClusterOptions,
): Promise<Cluster> {
  const schema = server.nameSchema();
  const world = await startWorld({ ...options, config: { storage: { postgres: { schema } } } });
  const start = async (role: 'look' | 'work', index: number): Promise<DaemonProcess> => {
    const directory = join(world.directory, `${role}-${index}`);
    await mkdir(directory);
    const configFile = join(directory, 'agent.config.yaml');
    await copyFile(world.configFile, configFile);
    const environment = { DATABASE_URL: server.url };
    return startDaemon({ directory, configFile }, { once: false, role, environment });
  };
  const processes = [await start('look', 1)];
  for (let index = 1; index <= workers; index += 1) processes.push(await start('work', index));
  const whileRunning = <Result>(work: Promise<Result>) =>
    processes.reduce((waited, one) => one.whileRunning(waited), work);
  return {
    world,
    processes,
    readUse: async () => {
      const times = await Promise.all(processes.map(({ processId }) => readProcessTime(processId)));
      const daemonsMs = times.reduce((sum, time) => sum + time, 0);
      const [statements, serverMs] = [await server.countStatements(), await server.readProcessorMs()];
      return { statements, daemonsMs, serverMs };
    },
    whileRunning,
    areReady: () => whileRunning(Promise.all(processes.map(({ log }) => log.find('ready')))),
    close: async () => {
      await Promise.all(processes.map(({ end }) => end()));
      await world.close();
    },
  };
}

/** What was used between two moments. */
export function subtractUse(after: Use, before: Use): Use {
  return {
    statements: after.statements - before.statements,
    daemonsMs: after.daemonsMs - before.daemonsMs,
    serverMs: after.serverMs - before.serverMs,
  };
}

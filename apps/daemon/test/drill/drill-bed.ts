import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster, openCluster } from '../cluster/cluster.ts';
import type { ClusterProcess } from '../cluster/cluster-process.ts';
import { openLoopback } from '../cluster/hosts.ts';
import { findProgram } from '../support/daemon-programs.ts';
import type { View } from './compare-views.ts';
import { readViews } from './read-views.ts';

/** A poller and two workers on a database, with what a step does to them. */
export interface DrillBed {
  readonly cluster: Cluster;
  readonly poller: ClusterProcess;
  readonly workers: readonly ClusterProcess[];
  /** Opens tasks, and waits until a process works on each. */
  readonly openTasks: (count: number) => Promise<void>;
  /** Runs a command of the daemon beside the processes. @returns its standard output */
  readonly run: (command: readonly string[]) => Promise<string>;
  /** Asks `status` and all processes that run, without those that are named. */
  readonly readViews: (left: readonly ClusterProcess[]) => Promise<readonly View[]>;
  readonly close: () => Promise<void>;
}

const names = ['poller', 'worker-1', 'worker-2'];
const secret = 'secret-of-the-drill-proxy-0001';
const headers = {
  'x-remote-user': 'operator',
  'x-agent-proxy-secret': secret,
  'accept-language': 'en',
};
/** Many times what a start takes on a busy machine. */
const startMs = 300_000;

/** Budget for all tasks of a day, which the drill cannot spend. */
export const budgetOfDay = 100_000;
const price = { input: 0, output: 100, max_output_tokens: 400 };

/** Opens it, with all processes ready. */
export async function openDrillBed(databaseUrl: string): Promise<DrillBed> {
  const cluster = await openCluster({
    ...{ forge: 'github', databaseUrl, schema: `drill_${process.pid}`, openHost: openLoopback },
    ...{ concurrency: 3, onStep: () => {}, processes: names },
    settings: {
      config: {
        http: { port: 0, page: { proxy: { header: 'x-remote-user', secret_env: 'DRILL_PAGE_SECRET' } } },
        limits: { max_cost: { day: budgetOfDay } },
      },
      // Far more than an answer of the scripted model takes, and short enough to see a model that hangs.
      llm: { step_timeout_seconds: 12, prices: { 'scripted-model': price } },
    },
  });
  const { processes } = cluster;
  const [poller, ...workers] = processes;
  if (poller === undefined) throw new Error('the drill has no poller');
  const variables = `DATABASE_URL=${databaseUrl}\nDRILL_PAGE_SECRET=${secret}\n`;
  for (const { configFile } of processes) await writeFile(join(dirname(configFile), '.env'), variables);
  const run = (command: readonly string[]) => runProgram([...command, '--config', poller.configFile]);
  const bed: DrillBed = {
    ...{ cluster, poller, workers, run },
    openTasks: async (count) => {
      const threads = Array.from({ length: count }, cluster.openThread);
      await waitFor('the new tasks run', async () => {
        const runs = await Promise.all(threads.map(cluster.findRuns));
        return runs.every((own) => own.length > 0);
      });
    },
    readViews: (left) =>
      readViews(processes.filter((one) => one.isAlive() && !left.includes(one)).map(toAsked), {
        runStatus: () => run(['status', '--json']),
        headers,
      }),
    close: cluster.close,
  };
  for (const one of processes) one.start();
  const isReady = () => processes.every((one) => one.output().includes('"msg":"ready"'));
  await waitFor('all processes are ready', isReady).catch(async (error: unknown) => {
    const outputs = processes.map((one) => `--- ${one.name}\n${one.outputs()}`);
    await bed.close();
    throw new Error(outputs.join('\n'), { cause: error });
  });
  return bed;
}

const toAsked = ({ name, output }: ClusterProcess) => ({
  name,
  url: [...output().matchAll(/"url":"(http:[^"]+)","msg":"serving/g)].at(-1)?.[1] ?? null,
});

async function runProgram(command: readonly string[]): Promise<string> {
  const { nodeArguments, environment } = findProgram('main');
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, TZ: 'UTC', ...environment };
  const options = { env, timeout: 60_000, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeArguments, ...command], options);
  return stdout;
}

/** Waits until the answer is yes. @throws Error with the description if it takes too long */
export async function waitFor(
  description: string,
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = startMs,
): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(200)) if (await isSo()) return;
  throw new Error(`after ${timeoutMs / 1_000} s it is still not true that ${description}`);
}

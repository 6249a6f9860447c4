import { setTimeout as delay } from 'node:timers/promises';
import { connectPostgres } from '@agent/run-store/postgres';
import { createCarefulScript } from '../kill/careful-script.ts';
import { agentLabel, createPeople, type People } from '../kill/faults/people.ts';
import { toStep } from '../kill/faults/stepping-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { projectFiles, startWorld, type World, type WorldOptions } from '../support/world.ts';
import { type ClusterProcess, openProcess } from './cluster-process.ts';
import type { OpenHost } from './hosts.ts';
import { createWatcher, type Watcher } from './watcher.ts';

/** A thread of a trial, with its people. */
export interface ClusterThread {
  /** Its number among the threads of the trial, from 1. */
  readonly ordinal: number;
  readonly reference: string;
  /** Its number on the forge. */
  readonly number: number;
  readonly title: string;
  readonly people: People;
  /** Numbers of the steps that its run takes: no other thread has them. */
  readonly steps: readonly number[];
}

/** A row of the table of runs. */
export interface RunRow {
  readonly uuid: string;
  readonly place: 'running' | 'paused' | 'completed';
  readonly owner: number;
}

/** A forge, a database and a model, with processes between them. */
export interface Cluster {
  readonly world: World;
  readonly watcher: Watcher;
  readonly schema: string;
  /** In the order in which they were opened. */
  readonly threads: readonly ClusterThread[];
  readonly processes: readonly ClusterProcess[];
  /** Gives the agent one thread more. */
  readonly openThread: () => ClusterThread;
  readonly query: <Row>(text: string) => Promise<readonly Row[]>;
  readonly listRuns: () => Promise<readonly RunRow[]>;
  /** Ids of the runs about a thread. */
  readonly findRuns: (thread: ClusterThread) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

export interface ClusterOptions {
  readonly forge: ForgeName;
  readonly databaseUrl: string;
  readonly schema: string;
  readonly openHost: OpenHost;
  /** Tasks at once, of each worker: one alone has room for all. */
  readonly concurrency: number;
  /** Called when a thread's conversation has so many results, each number once. */
  readonly onStep: (thread: ClusterThread, step: number) => void;
  /** Names of the processes; a name that begins with `worker` works, all others poll. Default two pollers and three workers. */
  readonly processes?: readonly string[] | undefined;
  /** Further settings. */
  readonly settings?: Pick<WorldOptions, 'config' | 'llm'> | undefined;
}

export const stepsOfThread = 5;
const defaultNames = ['looker-1', 'looker-2', 'worker-1', 'worker-2', 'worker-3'];
const stepProgram = 'echo "step $1" >> log.txt\n';
/** So long the model thinks: people speak meanwhile, and are heard by the next step or the one after. */
const thinkingMs = 500;

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { databaseUrl, schema, openHost, processes: names = defaultNames } = options;
  const threads: ClusterThread[] = [];
  const watcher = createWatcher();
  const world = await openWorld(options, threads);
  const servers = {
    database: databaseUrl,
    forge: world.forge.url,
    model: new URL(world.model.baseUrl).origin,
  };
  const { configFile, directory } = world;
  const processes = await Promise.all(
    names.map((name) =>
      openProcess({
        ...{ name, servers, configFile, directory, watcher, openHost },
        role: name.startsWith('worker') ? 'work' : 'look',
      }),
    ),
  );
  const database = await connectPostgres({ url: databaseUrl });
  const query = <Row>(text: string) => database.query<Row & object>(text, []);
  const hasTables = async () => {
    const text = `SELECT to_regclass('${schema}.snapshots')::text AS found`;
    return (await query<{ found: string | null }>(text))[0]?.found != null;
  };
  return {
    ...{ world, watcher, schema, threads, processes, query },
    openThread: () => {
      const ordinal = threads.length + 1;
      const title = `The total of shelf ${ordinal}0 is wrong`;
      const seed = { title, body: 'It forgets the quantity.', labels: [agentLabel] };
      const { reference, number } = world.forge.openIssue(seed);
      const people = createPeople(world.forge, reference);
      const thread = { ordinal, reference, number, title, people, steps: toSteps(ordinal) };
      threads.push(thread);
      return thread;
    },
    listRuns: async () =>
      (await hasTables())
        ? query<RunRow>(`SELECT uuid::text, place, owner::float8 AS owner FROM ${schema}.runs`)
        : [],
    findRuns: async ({ title }) => {
      const text = `SELECT DISTINCT uuid::text FROM ${schema}.lines WHERE position('${title}' in body) > 0`;
      return (await hasTables()) ? (await query<{ uuid: string }>(text)).map(({ uuid }) => uuid) : [];
    },
    close: async () => {
      await Promise.all(processes.map((one) => one.close()));
      await query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await database.close();
      await world.close();
    },
  };
}

const toSteps = (ordinal: number): readonly number[] =>
  Array.from({ length: stepsOfThread }, (_, index) => ordinal * 100 + index + 1);

/** A model that takes the steps of each thread, one after the other. */
function openWorld(
  { forge, schema, concurrency, onStep, settings }: ClusterOptions,
  threads: readonly ClusterThread[],
): Promise<World> {
  const reached = new Map<string, number>();
  const findThread = (texts: readonly string[]) =>
    threads.find(({ title }) => texts.some((text) => text.includes(title)));
  const careful = createCarefulScript(
    ({ messages }) => findThread(messages.map(({ text }) => text))?.steps.map(toStep) ?? [],
  );
  return startWorld({
    script: (view) => {
      const thread = findThread(view.messages.map(({ text }) => text));
      const before = reached.get(thread?.reference ?? '') ?? -1;
      for (let step = before + 1; thread !== undefined && step <= view.exchanges.length; step += 1) {
        reached.set(thread.reference, step);
        onStep(thread, step);
      }
      return careful(view);
    },
    onModelRequest: () => delay(thinkingMs),
    api: forge === 'github' ? 'responses' : 'chat',
    forges: [forge],
    files: { ...projectFiles, 'step.sh': stepProgram },
    config: {
      // A cluster has one credential, and with it no more requests a minute than one process.
      ...{ concurrency, storage: { postgres: { schema } }, poll_interval_seconds: 3 },
      tools: { run_command: { allow: ['sh'], sandbox: 'off', allow_root: true } },
      comment_detection: { enabled: true },
      ...settings?.config,
    },
    llm: settings?.llm ?? {},
  });
}

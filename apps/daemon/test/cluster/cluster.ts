import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { connectPostgres } from '@agent/run-store/postgres';
import { createCarefulScript } from '../kill/careful-script.ts';
import { createFaultDesk, type FaultDesk } from '../kill/faults/fault-desk.ts';
import { startFaultProxy } from '../kill/faults/fault-proxy.ts';
import { agentLabel, createPeople, type People } from '../kill/faults/people.ts';
import { toStep } from '../kill/faults/stepping-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { projectFiles, startWorld, type World } from '../support/world.ts';
import { type ClusterProcess, openProcess } from './cluster-process.ts';

/** A thread of a trial, with its people. */
export interface ClusterThread {
  readonly reference: string;
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
  readonly desk: FaultDesk;
  readonly threads: readonly ClusterThread[];
  readonly processes: readonly ClusterProcess[];
  /** Answers of the model so far. */
  readonly turns: () => number;
  readonly query: <Row>(text: string) => Promise<readonly Row[]>;
  readonly listRuns: () => Promise<readonly RunRow[]>;
  readonly close: () => Promise<void>;
}

export interface ClusterOptions {
  readonly forge: ForgeName;
  readonly databaseUrl: string;
  readonly schema: string;
  readonly threads: number;
  /** Called when a thread's conversation has so many results. */
  readonly onStep: (thread: ClusterThread, step: number) => void;
}

const stepsOfThread = 5;
const names = ['looker-1', 'looker-2', 'worker-1', 'worker-2', 'worker-3'] as const;
const stepProgram = 'echo "step $1" >> log.txt\n';

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { forge: forgeName, databaseUrl, schema, onStep } = options;
  const threads: ClusterThread[] = [];
  const reached = new Map<string, number>();
  const findThread = (texts: readonly string[]) =>
    threads.find(({ title }) => texts.some((text) => text.includes(title)));
  const careful = createCarefulScript(
    ({ messages }) => findThread(messages.map(({ text }) => text))?.steps.map(toStep) ?? [],
  );
  const world = await startWorld({
    script: (view) => {
      const thread = findThread(view.messages.map(({ text }) => text));
      const before = reached.get(thread?.reference ?? '') ?? -1;
      for (let step = before + 1; thread !== undefined && step <= view.exchanges.length; step += 1) {
        reached.set(thread.reference, step);
        onStep(thread, step);
      }
      return careful(view);
    },
    onModelRequest: () => delay(700),
    api: forgeName === 'github' ? 'responses' : 'chat',
    forges: [forgeName],
    files: { ...projectFiles, 'step.sh': stepProgram },
    config: {
      storage: { postgres: { schema } },
      tools: { run_command: { allow: ['sh'], sandbox: 'off', allow_root: true } },
      comment_detection: { enabled: true },
    },
  });
  const desk = createFaultDesk();
  const forge = await startFaultProxy(world.forge.url, { desk });
  const model = await startFaultProxy(new URL(world.model.baseUrl).origin, { desk });
  const moved = (await readFile(world.configFile, 'utf8'))
    .replaceAll(world.forge.url, forge.url)
    .replaceAll(new URL(world.model.baseUrl).origin, model.url);
  await writeFile(world.configFile, moved);
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port);
  const processes = await Promise.all(
    names.map((name) =>
      openProcess({
        ...{ name, databaseUrl, configFile: world.configFile, directory: world.directory },
        role: name.startsWith('looker') ? 'look' : 'work',
        ports: { forge: portOf(forge), model: portOf(model) },
      }),
    ),
  );
  for (let number = 1; number <= options.threads; number += 1) {
    const title = `The total of shelf ${number}0 is wrong`;
    const seed = { title, body: 'It forgets the quantity.', labels: [agentLabel] };
    const { reference } = world.forge.openIssue(seed);
    const steps = Array.from({ length: stepsOfThread }, (_, index) => number * 100 + index + 1);
    threads.push({ reference, title, steps, people: createPeople(world.forge, reference) });
  }
  const database = await connectPostgres({ url: databaseUrl });
  const query = <Row>(text: string) => database.query<Row & object>(text, []);
  return {
    ...{ world, desk, threads, processes, query },
    turns: () => desk.seen.filter(({ route, status }) => route === 'model' && status === 200).length,
    listRuns: async () => {
      const [{ found } = { found: null }] = await query<{ found: string | null }>(
        `SELECT to_regclass('${schema}.runs')::text AS found`,
      );
      if (found === null) return [];
      return query<RunRow>(`SELECT uuid::text, place, owner::float8 AS owner FROM ${schema}.runs`);
    },
    close: async () => {
      await Promise.all(processes.map((one) => one.close()));
      await Promise.all([forge.close(), model.close()]);
      await query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await database.close();
      await world.close();
    },
  };
}

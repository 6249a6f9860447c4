import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { ClusterProcess } from '../cluster/cluster-process.ts';
import type { Fault } from '../kill/faults/fault.ts';
import { editConfig } from '../support/edit-config.ts';
import { budgetOfDay, type DrillBed } from './drill-bed.ts';

/** What a harm left to do. */
export interface Harm {
  readonly repair: () => Promise<unknown>;
  /** Processes that cannot answer. Default none. */
  readonly left?: readonly ClusterProcess[];
}

/** Something that goes wrong, and the cause that all views have to name. */
export interface DrillStep {
  readonly name: string;
  readonly cause: string;
  /** Tasks that run when the harm is done. */
  readonly tasks: number;
  readonly harm: (bed: DrillBed) => Promise<Harm>;
  /** True for a problem that passes within seconds: the views need not show it at the same time. */
  readonly passes?: boolean;
  /** Text that the words of the problem contain. */
  readonly names?: string;
}

const refusedKey: Fault = {
  meant: { routes: ['model'] },
  effect: { kind: 'status', status: 401, side: 'before' },
};
const platformAway: Fault = {
  meant: { path: /^\w+ (?!\/v1\/)/ },
  effect: { kind: 'status', status: 503, side: 'before' },
};

/** Less than one call of the model can cost. */
const spentBudget = 0.01;

/** Steps of the drill, in their order. */
export const steps: readonly DrillStep[] = [
  {
    name: 'poller-killed',
    ...{ cause: 'no_poller', tasks: 2 },
    harm: async ({ poller }) => {
      await poller.kill();
      return { repair: async () => poller.start() };
    },
  },
  {
    name: 'worker-suspended',
    ...{ cause: 'process_silent', tasks: 3, passes: true },
    harm: async (bed) => {
      const worker = await findBusyWorker(bed);
      worker.freeze();
      return { repair: async () => worker.wake(), left: [worker] };
    },
  },
  {
    name: 'model-key-revoked',
    ...{ cause: 'model_refused', tasks: 2 },
    harm: async ({ cluster, workers }) => ({ repair: addFault(refusedKey, { cluster, to: workers }) }),
  },
  {
    name: 'model-hangs',
    ...{ cause: 'model_away', tasks: 2 },
    harm: async ({ workers }) => {
      const lifts = await Promise.all(workers.map((worker) => worker.cut(['model'], 'hangs')));
      return { repair: () => Promise.all(lifts.map((lift) => lift())) };
    },
  },
  {
    name: 'platform-away',
    ...{ cause: 'platform_away', tasks: 2 },
    harm: async ({ cluster }) => ({ repair: addFault(platformAway, { cluster, to: cluster.processes }) }),
  },
  {
    name: 'platform-away-at-start',
    ...{ cause: 'platform_away', tasks: 1 },
    harm: async ({ cluster, poller }) => {
      await poller.stop();
      const repair = addFault(platformAway, { cluster, to: cluster.processes });
      poller.start();
      return { repair };
    },
  },
  {
    name: 'everything-paused',
    ...{ cause: 'paused_all', tasks: 2, names: userInfo().username },
    harm: async ({ run }) => {
      await run(['pause']);
      return { repair: () => run(['resume']) };
    },
  },
  {
    name: 'settings-broken',
    ...{ cause: 'settings_invalid', tasks: 1 },
    harm: async ({ poller }) => {
      const { configFile } = poller;
      const text = await readFile(configFile, 'utf8');
      await editConfig(configFile, { concurrency: 'many' });
      poller.reload();
      const repair = async () => {
        await writeFile(configFile, text);
        poller.reload();
      };
      return { repair };
    },
  },
  {
    name: 'budget-spent',
    ...{ cause: 'money_day', tasks: 2 },
    harm: async ({ workers }) => {
      const limit = async (day: number) => {
        for (const { configFile, reload } of workers) {
          await editConfig(configFile, { 'limits.max_cost.day': day });
          reload();
        }
      };
      await limit(spentBudget);
      return { repair: () => limit(budgetOfDay) };
    },
  },
  {
    name: 'database-full',
    ...{ cause: 'database', tasks: 2 },
    harm: async ({ cluster: { query, schema } }) => {
      const refuse = `${schema}.refuse_lines`;
      await query(
        `CREATE FUNCTION ${refuse}() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
      );
      await query(
        `CREATE TRIGGER refuse_lines BEFORE INSERT ON ${schema}.lines FOR EACH STATEMENT EXECUTE FUNCTION ${refuse}()`,
      );
      return { repair: () => query(`DROP FUNCTION ${refuse} CASCADE`) };
    },
  },
];

function addFault(
  fault: Fault,
  { cluster, to }: Pick<DrillBed, 'cluster'> & { readonly to: readonly ClusterProcess[] },
): () => Promise<void> {
  const lifts = to.map(({ name }) => cluster.watcher.deskOf(name).add(fault));
  return async () => {
    for (const lift of lifts) lift();
  };
}

/** Finds a worker that has a run. */
async function findBusyWorker({ cluster, workers }: DrillBed): Promise<ClusterProcess> {
  const runs = (await cluster.listRuns()).filter(({ place }) => place === 'running');
  const busy = runs.map(({ uuid }) => cluster.watcher.writers.get(uuid)?.process);
  const found = workers.find(({ name }) => busy.includes(name)) ?? workers[0];
  if (found === undefined) throw new Error('the drill has no worker');
  return found;
}

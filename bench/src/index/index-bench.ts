import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../report.ts';
import { askFlatness, askStore } from './ask-process.ts';
import { fillPlannings } from './fill-plannings.ts';
import { type MeasuredStore, toIndexReport } from './index-report.ts';
import { measurePlannings, type PlanningFigures } from './measure-plannings.ts';
import { sampleRun } from './sample-run.ts';
import { type StoreName, storeKinds } from './stores/store-kinds.ts';
import type { Row } from './stores/task-store.ts';
import { toRow } from './stores/to-row.ts';

const sizes = [1_000, 10_000, 100_000] as const;
const [few, , most] = sizes;
const ofTask = 10;

/** The index of runs beside two other ways to keep it, and the plans of an issue beside a scan of all. */
export const indexBench: Bench = {
  name: 'index',
  run: async ({ onProgress }) => {
    const directory = await mkdtemp(join(tmpdir(), 'index-bench-'));
    const toDirectory = (store: StoreName, keys: number) => join(directory, `${store} ${keys}`);
    try {
      const stores: MeasuredStore[] = [];
      for (const store of Object.keys(storeKinds) as StoreName[]) {
        for (const keys of sizes) {
          onProgress(`${store}, ${keys} tasks`);
          await (await storeKinds[store]()).fill(toDirectory(store, keys), sampleRows(keys));
          for (const synced of store === 'one file per task' ? [false, true] : [false]) {
            const writes = store === 'one lowdb file' ? toFewWrites(keys) : 100;
            const samples = { lookups: Math.min(keys, 1_000), writes, firstNew: synced ? 2 * keys : keys };
            const question = { store, keys, synced, directory: toDirectory(store, keys), ...samples };
            stores.push({ store, keys, synced, figures: await askStore(question) });
          }
        }
      }
      const [small, large] = [few, most].map((keys) => ({
        keys,
        directory: toDirectory('one file per task', keys),
      }));
      if (small === undefined || large === undefined) throw new Error('There are no sizes to compare.');
      const flatness = await askFlatness({ few: small, many: large, lookups: 1_000, synced: false });
      const plannings: PlanningFigures[] = [];
      for (const runs of [few, most]) {
        onProgress(`plans of ${runs} runs`);
        const baseDirectory = join(directory, `plans ${runs}`);
        await fillPlannings(baseDirectory, { runs, ofTask });
        plannings.push(await measurePlannings(baseDirectory, { runs, ofTask }));
      }
      return toIndexReport({ stores, flatness: { ...flatness, fewKeys: few, manyKeys: most }, plannings });
    } finally {
      onProgress('removing what was written');
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Each of them writes all tasks. */
function toFewWrites(keys: number): number {
  return Math.max(2, Math.min(20, 50_000 / keys));
}

function* sampleRows(keys: number): Generator<Row> {
  for (let number = 0; number < keys; number += 1) yield toRow(sampleRun(number));
}

import type { Report, Table } from '../report.ts';
import type { FlatnessFigures } from './measure-flatness.ts';
import type { PlanningFigures } from './measure-plannings.ts';
import type { StoreFigures } from './measure-store.ts';
import type { StoreName } from './stores/store-kinds.ts';

/** One store with so many tasks in it. */
export interface MeasuredStore {
  readonly store: StoreName;
  readonly synced: boolean;
  readonly keys: number;
  readonly figures: StoreFigures;
}

export interface IndexFigures {
  readonly stores: readonly MeasuredStore[];
  readonly flatness: FlatnessFigures & { readonly fewKeys: number; readonly manyKeys: number };
  readonly plannings: readonly PlanningFigures[];
}

/** The figures in tables, and the goals of decision X12's index. */
export function toIndexReport({ stores, flatness, plannings }: IndexFigures): Report {
  const most = Math.max(...stores.map(({ keys }) => keys));
  const at = (store: StoreName) => {
    const found = stores.find((one) => one.store === store && one.keys === most && !one.synced);
    if (found === undefined) throw new Error(`${store} was not measured.`);
    return found.figures;
  };
  const [ours, single] = [at('one file per task'), at('one lowdb file')];
  const planning = plannings.at(-1) ?? { runs: 0, ours: Number.NaN, scan: Number.NaN };
  const many = flatness.manyKeys.toLocaleString('en');
  return {
    title: 'index: the runs of a task, however many tasks there are',
    tables: [toStoreTable(stores), toPlanningTable(plannings)],
    goals: [
      {
        name: `a lookup among ${many} tasks, by one among ${flatness.fewKeys.toLocaleString('en')}`,
        measured: toTwoPlaces(flatness.many / flatness.few),
        atMost: 1.2,
        unit: 'times',
      },
      {
        name: `insert, by one lowdb file of ${many}`,
        measured: single.insert / ours.insert,
        atLeast: 1_000,
        unit: 'times faster',
      },
      { name: 'event loop blocked by an insert', measured: toTwoPlaces(ours.blocked), atMost: 1, unit: 'ms' },
      {
        name: 'memory, by one lowdb file',
        measured: single.memory / ours.memory,
        atLeast: 7,
        unit: 'times less',
      },
      {
        name: `plans of an issue, by a scan of ${planning.runs.toLocaleString('en')} runs`,
        measured: planning.scan / planning.ours,
        atLeast: 5_000,
        unit: 'times faster',
      },
    ],
    notes: [
      'Medians. "Open" is from nothing to the first answer; lookups ask for another task each time, so that ours reads a file for each. Each row is a process of its own, its memory the most that it ever had; Node itself is in it, taking types out of sources is not, but at each first row.',
      'Nobody waits for the disk but "synced": ours as the daemon uses it, with the file and its directory synced at each write.',
      '"One lowdb file" is lowdb with its own adapter, an array of all tasks that is searched; once it is open it answers from memory. "node:sqlite" has an index on the hash, WAL, synchronous = NORMAL.',
      `The first goal is measured apart: lookups among few and many tasks in turn, in one process, ${toMilliseconds(flatness.few)} and ${toMilliseconds(flatness.many)} ms.`,
      `Plans: ${planning.runs.toLocaleString('en')} runs with 5 entries each, 10 runs of the issue. The scan is a port of the earlier agent's, with its path put right; it ran once, just after the files were written.`,
    ],
  };
}

function toStoreTable(stores: readonly MeasuredStore[]): Table {
  return {
    caption: 'One run for each task, milliseconds',
    columns: ['store', 'tasks', 'open', 'look up', 'insert', 'update', 'blocked by an insert', 'memory, MB'],
    rows: stores.map(({ store, synced, keys, figures }) => [
      synced ? `${store}, synced` : store,
      String(keys),
      toMilliseconds(figures.open),
      toMilliseconds(figures.lookup),
      toMilliseconds(figures.insert),
      toMilliseconds(figures.update),
      toMilliseconds(figures.blocked),
      figures.memory.toFixed(0),
    ]),
  };
}

function toPlanningTable(plannings: readonly PlanningFigures[]): Table {
  return {
    caption: 'The plans of one issue, milliseconds',
    columns: ['runs', 'ours', 'scan of all', 'ratio'],
    rows: plannings.map(({ runs, ours, scan }) => [
      String(runs),
      toMilliseconds(ours),
      scan.toFixed(0),
      (scan / ours).toFixed(0),
    ]),
  };
}

function toMilliseconds(value: number): string {
  return value.toFixed(value < 10 ? 3 : 0);
}

function toTwoPlaces(value: number): number {
  return Math.round(value * 100) / 100;
}

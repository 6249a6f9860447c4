import type { PreviousRun } from './model.ts';
import type { IndexedTask, PreviousRunReader } from './ports.ts';

const mostTasks = 100;

/** Lists runs, and remembers each answer for a while. @see seed 002 §9.1, decision C19 */
export interface RunListCache {
  readonly list: (task: IndexedTask) => Promise<readonly PreviousRun[]>;
  /** Makes the next call ask again, as after the end of a run of this task. */
  readonly forget: (task: IndexedTask) => void;
}

export interface RunListCacheOptions {
  readonly maxAgeMs: number;
  readonly now: () => Date;
}

/** Failures are not remembered, and a clock that ran backwards ends what was remembered before. */
export function createRunListCache(
  listRuns: PreviousRunReader['listRuns'],
  { maxAgeMs, now }: RunListCacheOptions,
): RunListCache {
  const known = new Map<string, { readonly at: number; readonly runs: readonly PreviousRun[] }>();
  const nameOf = ({ taskKeyHash, host }: IndexedTask) => `${taskKeyHash} ${host}`;
  return {
    list: async (task) => {
      const name = nameOf(task);
      const at = now().getTime();
      const entry = known.get(name);
      const age = at - (entry?.at ?? 0);
      if (entry !== undefined && age >= 0 && age < maxAgeMs) return entry.runs;
      known.delete(name);
      const runs = await listRuns(task);
      known.set(name, { at, runs });
      const oldest = known.keys().next();
      if (known.size > mostTasks && oldest.done !== true) known.delete(oldest.value);
      return runs;
    },
    forget: (task) => {
      known.delete(nameOf(task));
    },
  };
}

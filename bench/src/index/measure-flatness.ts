import { performance } from 'node:perf_hooks';
import { findMedian } from '../statistics.ts';
import { toHash } from './sample-run.ts';
import { filePerTask } from './stores/file-per-task.ts';

export interface FlatnessQuestion {
  readonly few: { readonly directory: string; readonly keys: number };
  readonly many: { readonly directory: string; readonly keys: number };
  readonly lookups: number;
}

/** Medians in milliseconds, of lookups made in turn. */
export interface FlatnessFigures {
  readonly few: number;
  readonly many: number;
}

/** Lookups among few and among many tasks in turn, in one process: whoever else uses the machine slows both. */
export async function measureFlatness(question: FlatnessQuestion): Promise<FlatnessFigures> {
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  const stores = {
    few: await filePerTask.open(question.few.directory),
    many: await filePerTask.open(question.many.directory),
  };
  for (let number = 0; number < question.lookups; number += 1) {
    for (const side of ['few', 'many'] as const) {
      const { keys } = question[side];
      const hash = toHash((number * Math.max(1, Math.floor(keys / question.lookups))) % keys);
      const startedAt = performance.now();
      await stores[side].find(hash);
      times[side].push(performance.now() - startedAt);
    }
  }
  return { few: findMedian(times.few), many: findMedian(times.many) };
}

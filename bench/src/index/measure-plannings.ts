import { performance } from 'node:perf_hooks';
import { readPastExecutions } from '@agent/run-store';
import { createFileRunLines, createFileTaskIndex } from '@agent/run-store/file';
import { entriesOfARun, type FilledPlannings } from './fill-plannings.ts';
import { timeEach } from './measure-store.ts';
import { host, toHash } from './sample-run.ts';
import { scanPlannings } from './scan-plannings.ts';

/** Milliseconds. */
export interface PlanningFigures extends FilledPlannings {
  /** Each time through an index that was just opened: nothing of it is in memory. */
  readonly ours: number;
  readonly scan: number;
}

export async function measurePlannings(
  baseDirectory: string,
  filled: FilledPlannings,
): Promise<PlanningFigures> {
  const expected = filled.ofTask * entriesOfARun;
  const ours = await timeEach(200, async () => {
    const index = createFileTaskIndex({ baseDirectory });
    const lines = createFileRunLines({ baseDirectory });
    const entries = await readPastExecutions({ taskKeyHash: toHash(0), host }, { lines, index });
    require(entries.length, expected);
  });
  const startedAt = performance.now();
  const scanned = scanPlannings(baseDirectory, '0');
  const scan = performance.now() - startedAt;
  require(scanned.length, expected);
  return { ...filled, ours, scan };
}

function require(found: number, expected: number): void {
  if (found !== expected) throw new Error(`Found ${found} entries instead of ${expected}.`);
}

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '@agent/text';
import { dropTornLine } from '../disk/drop-torn-line.ts';
import { privateDirectory, privateFile } from '../disk/private-modes.ts';
import { withFile } from '../disk/replace-file.ts';
import { readFileIfThere } from '../file/run-directory.ts';
import type { PlanningEntry } from './planning-entry.ts';
import { formatPlanningLine, parsePlanningLine } from './planning-line.ts';

/** Where a run's plans lie in its directory. @see seed 002 §13.2 */
export function toPlanningPath(directory: string, uuid: string): string {
  return join(directory, 'planning', `${uuid}.jsonl`);
}

/** Appends a line, synced; what a crash tore off at the end is cut away first. */
export async function appendPlanningEntry(path: string, entry: PlanningEntry): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await writeFile(path, '', { flag: 'a', mode: privateFile });
  await dropTornLine(path);
  await withFile(path, 'a', async (file) => {
    await file.writeFile(formatPlanningLine(entry));
    await file.datasync();
  });
}

/** The entries in their order, none when there is no file; lines that say nothing are logged and left out. */
export async function readPlanningFile(
  path: string,
  logger: Logger | null,
): Promise<readonly PlanningEntry[]> {
  const text = await readFileIfThere(path);
  if (text === null) return [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map(parsePlanningLine).filter((entry) => entry !== null);
  const skipped = lines.length - entries.length;
  if (skipped > 0)
    logger?.warn({ path, skipped }, 'a history of plans has lines that say nothing; they are left out');
  return entries;
}

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextStoreError } from './context-store-error.ts';
import { isHalfMade } from './create-run-directory.ts';
import { isRunDirectory, readMetadata, readOutcome, requireUuid } from './run-directory.ts';
import type { DamagedRun, UnfinishedRun } from './run-model.ts';
import { toSystemCode } from './storage-error.ts';

/** What lies in `running/`, oldest first. Removes what a crash left half made; leaves what is damaged. */
export async function listRunningDirectories(
  running: string,
): Promise<{ readonly runs: readonly UnfinishedRun[]; readonly damaged: readonly DamagedRun[] }> {
  const runs: UnfinishedRun[] = [];
  const damaged: DamagedRun[] = [];
  for (const name of await listNames(running)) {
    if (isHalfMade(name)) await rm(join(running, name), { recursive: true, force: true });
    else await readRun(join(running, name), name).then(push(runs)).catch(reportDamage(damaged, name));
  }
  runs.sort((a, b) => (a.metadata.createdAt < b.metadata.createdAt ? -1 : 1));
  return { runs, damaged };
}

async function listNames(running: string): Promise<readonly string[]> {
  return (await readdir(running).catch(emptyWhenMissing)).sort();
}

function emptyWhenMissing(error: unknown): string[] {
  if (toSystemCode(error) === 'ENOENT') return [];
  throw error;
}

async function readRun(directory: string, name: string): Promise<UnfinishedRun> {
  requireUuid(name);
  await isRunDirectory(directory);
  return { uuid: name, metadata: await readMetadata(directory), outcome: await readOutcome(directory) };
}

function push<Item>(list: Item[]): (item: Item) => void {
  return (item) => {
    list.push(item);
  };
}

function reportDamage(damaged: DamagedRun[], name: string): (error: unknown) => void {
  return (error) => {
    if (!ContextStoreError.isInstance(error)) throw error;
    damaged.push({ name, reason: error.message });
  };
}

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const halfWritten = /^[a-z_]+\.jsonl?\.tmp$/;

/** Removes what a process that died was about to put in the place of a file. Only the run's owner may call this. */
export async function removeHalfWrittenFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile() && halfWritten.test(entry.name));
  for (const { name } of left) await rm(join(directory, name), { force: true });
}

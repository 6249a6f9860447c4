import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateDirectory, privateFile } from '../disk/private-modes.ts';
import { replaceFile, syncDirectory } from '../disk/replace-file.ts';
import { toJournalFiles } from '../journal/journal-files.ts';
import type { RunMetadata } from '../run-model.ts';
import { formatMetadata } from './metadata-file.ts';

const halfMadePrefix = '.new-';

/** Makes `running/{uuid}` with its metadata and empty journal, or nothing: it is built aside and renamed. */
export async function createRunDirectory(running: string, metadata: RunMetadata): Promise<void> {
  const aside = join(running, `${halfMadePrefix}${metadata.uuid}`);
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: privateDirectory });
  const files = toJournalFiles(aside);
  await replaceFile(files.metadata, formatMetadata(metadata));
  for (const path of [files.messages, files.current, files.tools, files.summaries])
    await writeFile(path, '', { mode: privateFile });
  await syncDirectory(aside);
  await rename(aside, join(running, metadata.uuid));
  await syncDirectory(running);
}

/** Whether an entry of `running/` is what a crash left of a directory in the making. */
export function isHalfMade(name: string): boolean {
  return name.startsWith(halfMadePrefix);
}

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateDirectory, privateFile, replaceFile, syncDirectory } from '../disk/files.ts';
import { halfMadePrefix } from '../disk/run-directories.ts';
import { formatFact, sealLine } from '../lines/record-line.ts';
import { formatMetadata, toMetadataFile } from '../lines/run-documents.ts';
import { toJournalFiles } from '../places.ts';
import type { RunMetadata } from '../run-model.ts';

/** Makes `running/{uuid}` with a record that says what the run is, or nothing: it is built aside and renamed. */
export async function createRunDirectory(
  running: string,
  { metadata, owner }: { readonly metadata: RunMetadata; readonly owner: number | null },
): Promise<void> {
  const aside = join(running, `${halfMadePrefix}${metadata.uuid}`);
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: privateDirectory });
  const files = toJournalFiles(aside);
  const data = toMetadataFile(metadata);
  const opened = formatFact({ name: 'opened', data, timestamp: metadata.createdAt });
  const { bytes } = sealLine(opened, { previous: '', owner });
  await writeFile(files.messages, bytes, { mode: privateFile, flush: true });
  await replaceFile(files.metadata, formatMetadata(metadata), { sync: false });
  await syncDirectory(aside);
  await rename(aside, join(running, metadata.uuid));
  await syncDirectory(running);
}

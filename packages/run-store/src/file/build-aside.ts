import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '@agent/text';
import { privateDirectory, privateFile, replaceFile, withFile } from '../disk/files.ts';
import { halfMadePrefix } from '../disk/run-directories.ts';
import { anyMessage, createRecordReading } from '../journal/record-reading.ts';
import type { Json } from '../journal-model.ts';
import { formatState } from '../lines/state-name.ts';
import { type JournalFiles, toJournalFiles } from '../places.ts';
import { toRecordSource } from '../record/run-record.ts';
import type { TransferredRun } from '../storage.ts';
import { createFilesBeside } from './files-beside.ts';

/** A run that is built beside its place. */
interface BuiltRun {
  readonly files: JournalFiles;
  /** Removes what is left of it; does nothing where it was moved away whole. */
  readonly remove: () => Promise<void>;
}

/** Builds a run where the next start removes what a crash leaves of it. */
export async function buildAside(
  run: TransferredRun,
  { running, logger }: { readonly running: string; readonly logger: Logger | null },
): Promise<BuiltRun> {
  const aside = join(running, `${halfMadePrefix}${run.uuid}`);
  const remove = () => rm(aside, { recursive: true, force: true });
  await remove();
  const files = toJournalFiles(join(aside, run.uuid));
  await mkdir(files.directory, { recursive: true, mode: privateDirectory });
  await writeRecord(files, run);
  await writeBeside(files, { states: await run.readStates(), logger });
  return { files, remove };
}

const newline = Buffer.from('\n');

async function writeRecord(
  files: JournalFiles,
  { readChain }: Pick<TransferredRun, 'readChain'>,
): Promise<void> {
  await withFile(files.messages, 'w', async (file) => {
    await file.chmod(privateFile);
    for await (const lines of readChain())
      await file.writeFile(Buffer.concat(lines.flatMap(({ bytes }) => [bytes, newline])));
    await file.sync();
  });
}

async function writeBeside(
  files: JournalFiles,
  { states, logger }: { readonly states: Readonly<Record<string, Json>>; readonly logger: Logger | null },
): Promise<void> {
  const reading = createRecordReading({ parseMessage: anyMessage });
  await reading.readOn(toRecordSource(files));
  await createFilesBeside(files, { facts: reading.facts, logger }).project(reading.project());
  for (const [name, value] of Object.entries(states)) {
    const path = join(files.directory, name);
    await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
    await replaceFile(path, formatState(name, value), { sync: false });
  }
}

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from '@agent/text';
import { listEntries, privateDirectory, privateFile, syncDirectory } from '../disk/files.ts';
import { createFileTaskIndex } from '../index/file-task-index.ts';
import { removeCopies } from '../index/purge-task.ts';
import { readIndexedRun } from '../index/read-indexed-run.ts';
import { replaceRecentRun } from '../index/recent-runs.ts';
import { requireReadable } from '../journal/record-reading.ts';
import {
  type ChangeValue,
  changeValues,
  isChanged,
  rewriteChain,
  rewriteText,
} from '../journal/rewrite-record.ts';
import {
  type JournalFiles,
  type RunPlacesOptions,
  toIndexPlaces,
  toJournalFiles,
  toRecordPath,
  toRunPlaces,
} from '../places.ts';
import { toRecordSource } from '../record/run-record.ts';
import type { TransferredRun } from '../storage.ts';
import { buildAside } from './build-aside.ts';

interface RewriteOptions extends RunPlacesOptions {
  readonly change: ChangeValue;
  readonly logger: Logger | null;
}

/**
 * Changes all that is stored of a run that has ended. The record is replaced last: until then it is the old one, so that the next call
 * finds again what is to be done.
 */
export async function rewriteRun(run: TransferredRun, options: RewriteOptions): Promise<boolean> {
  const { change, logger } = options;
  const { uuid, place } = run;
  if (place !== 'completed') return false;
  const places = toRunPlaces(options);
  const files = toJournalFiles(join(places.completed, uuid));
  const values = await run.readStates();
  const cut = await readCutLines(files, change);
  const isOther = cut.some(({ before, after }) => before !== after);
  if (!isOther && !(await isChanged(run.readChain(), { values, change }))) return false;
  const rewritten: TransferredRun = {
    ...run,
    readChain: () => rewriteChain(run.readChain(), change),
    readStates: async () => changeValues(values, change),
  };
  const built = await buildAside(rewritten, { running: places.running, logger });
  await requireReadable(toRecordSource(built.files), uuid);
  for (const { name, after } of cut)
    await writeFile(join(built.files.directory, name), after, { mode: privateFile });
  await updateLists(built.files, options);
  await replaceFiles(built.files, files);
  await built.remove();
  return true;
}

/** Lines that were cut off, which lie in files beside the record. */
async function readCutLines({ directory }: JournalFiles, change: ChangeValue) {
  const names = (await listEntries(directory)).filter((name) => /^messages\.damaged-\d+\.jsonl$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const before = await readFile(join(directory, name), 'utf8');
      const after = before.split('\n').map((line) => (line === '' ? line : rewriteText(line, { change })));
      return { name, before, after: after.join('\n') };
    }),
  );
}

/** Has the index and the list of recent runs say what the new record says. */
async function updateLists({ directory }: JournalFiles, options: RewriteOptions): Promise<void> {
  const run = await readIndexedRun(directory, { isPutAway: true });
  if (run !== null) {
    const { baseDirectory, pausedDirectory, logger } = options;
    const index = createFileTaskIndex({ baseDirectory, pausedDirectory, logger });
    if ((await index.find(run)).some(({ uuid }) => uuid === run.uuid)) await index.put(run);
    await removeCopies(toRecordPath(toIndexPlaces(options.baseDirectory), run.taskKeyHash));
  }
  await replaceRecentRun(toRunPlaces(options).recent, directory);
}

/** Replaces the files of a run by others, one after the other, and the record last. What the others do not have is removed. */
async function replaceFiles(from: JournalFiles, to: JournalFiles): Promise<void> {
  const listFiles = async (directory: string) => {
    const names = await listEntries(directory, { recursive: true });
    return names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)));
  };
  const record = basename(from.messages);
  const names = (await listFiles(from.directory)).filter((name) => name !== record);
  for (const name of await listFiles(to.directory))
    if (name !== record && !names.includes(name)) await rm(join(to.directory, name), { recursive: true });
  for (const name of names) {
    await mkdir(dirname(join(to.directory, name)), { recursive: true, mode: privateDirectory });
    await rename(join(from.directory, name), join(to.directory, name));
  }
  await syncDirectory(to.directory);
  await rename(from.messages, to.messages);
  await syncDirectory(to.directory);
}

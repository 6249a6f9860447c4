import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ContextStoreError } from '../context-store-error.ts';
import { parseControlName } from '../controls/run-controls.ts';
import { isThere, listEntries, readFileIfThere } from '../disk/files.ts';
import { readLastLines } from '../disk/lines.ts';
import { parseOrNull } from '../disk/stored-values.ts';
import { listIndexed } from '../index/file-task-index.ts';
import type { IndexedRun } from '../index/indexed-run.ts';
import { toIndexedRun } from '../index/read-indexed-run.ts';
import { parseRecentLine } from '../index/recent-runs.ts';
import { parseTaskRecord } from '../index/task-record-file.ts';
import { type RunPlacesOptions, toIndexPlaces, toRecordPath, toRunPlaces } from '../places.ts';
import { readRunFacts } from '../record/run-record.ts';
import type { SpendingAccounts } from '../spending/spending-ledger.ts';
import type { StorageNotes, StorageTransfer, VerifiedRecords } from '../storage.ts';
import { isUuid } from '../storage-names.ts';

/** Places of what is stored beside runs. */
export interface CheckedPlaces extends RunPlacesOptions {
  readonly notes: Pick<StorageNotes, 'read'>;
  readonly listNotes: StorageTransfer['listNotes'];
  readonly accounts: Pick<SpendingAccounts, 'list'>;
}

/** Verifies what is stored beside runs: the index, the list of recent runs, notes, accounts of spending and requests. Changes nothing. */
export async function checkPlaces(places: CheckedPlaces): Promise<VerifiedRecords> {
  const checks = [checkIndex, checkRecent, checkNotes, checkSpending, checkControls];
  const verified = await Promise.all(checks.map((check) => check(places)));
  return {
    checked: verified.reduce((sum, { checked }) => sum + checked, 0),
    faults: verified.flatMap(({ faults }) => faults),
  };
}

async function checkIndex(options: CheckedPlaces): Promise<VerifiedRecords> {
  const index = toIndexPlaces(options.baseDirectory);
  const { completed } = toRunPlaces(options);
  const hashes = await listIndexed(index);
  const faults: string[] = [];
  const indexed = new Set<string>();
  for (const hash of hashes) {
    const path = toRecordPath(index, hash);
    const record = parseIndex((await readFileIfThere(path)) ?? '', hash);
    if (record === null)
      faults.push(`"${path}" is damaged. Delete it: the daemon makes it again from the runs.`);
    for (const run of record?.runs ?? []) {
      indexed.add(run.uuid);
      const stored = await readStored(join(completed, run.uuid));
      const isSame = stored === null || isDeepStrictEqual(stored, withoutSummary(run));
      if (!isSame)
        faults.push(`"${path}" does not say what run ${run.uuid} says. ${buildAgain(index.built)}`);
    }
  }
  // An index that was never built is built by the next start.
  const uuids = (await isThere(index.built)) ? (await listEntries(completed)).filter(isUuid) : [];
  for (const uuid of uuids) {
    if (indexed.has(uuid)) continue;
    const run = await readStored(join(completed, uuid));
    if (run !== null && !(await isFull(index.root, run.taskKeyHash)))
      faults.push(`The index "${index.root}" does not have run ${uuid}. ${buildAgain(index.built)}`);
  }
  return { checked: hashes.length, faults };
}

/** What a record says of a run that ended; null if the record cannot be read, or has no end. */
async function readStored(directory: string): Promise<IndexedRun | null> {
  const { metadata, outcome } = (await readRunFacts(directory).catch(() => null)) ?? {};
  if (metadata === undefined || outcome == null) return null;
  const run = toIndexedRun(metadata, { outcome, summary: null, isUsable: true });
  return run && withoutSummary(run);
}

/** Summaries are in a file of their own, which is compared with the record. */
const withoutSummary = (run: IndexedRun): IndexedRun => ({ ...run, compressionCount: 0, finalSummary: null });

const buildAgain = (built: string) =>
  `Delete "${built}": the next start makes the index again from the runs.`;

const parseIndex = (text: string, hash: string) => parseOrNull(text, (json) => parseTaskRecord(json, hash));

/** Tells whether a task has as many runs in the index as it keeps, or a file that says nothing. */
async function isFull(root: string, hash: string): Promise<boolean> {
  const text = await readFileIfThere(join(root, hash.slice(0, 2), `${hash}.json`));
  const record = text === null ? null : parseIndex(text, hash);
  return text !== null && (record === null || record.runs.length >= 50);
}

async function checkRecent(options: CheckedPlaces): Promise<VerifiedRecords> {
  const { recent } = toRunPlaces(options);
  const lines = await readLastLines(recent, Number.POSITIVE_INFINITY);
  const faults = lines.flatMap((line, index) =>
    parseRecentLine(line) === null
      ? [`Line ${index + 1} of "${recent}" is not valid. Delete this line: only lists for people need it.`]
      : [],
  );
  return { checked: lines.length, faults };
}

async function checkNotes({ notes, listNotes }: CheckedPlaces): Promise<VerifiedRecords> {
  const names = await listNotes();
  const faults = await Promise.all(names.map((name) => toFaults(notes.read(name))));
  return { checked: names.length, faults: faults.flat() };
}

async function checkSpending({ accounts }: CheckedPlaces): Promise<VerifiedRecords> {
  const listing = accounts.list();
  const faults = await toFaults(listing);
  return { checked: faults.length === 0 ? (await listing).length : 1, faults };
}

/** The message of a damaged record; any other error stays one. */
async function toFaults(reading: Promise<unknown>): Promise<readonly string[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (ContextStoreError.isInstance(error) && error.code === 'damaged') return [error.message];
    throw error;
  }
}

async function checkControls({ baseDirectory }: CheckedPlaces): Promise<VerifiedRecords> {
  const directory = join(baseDirectory, 'control');
  const names = (await listEntries(directory)).filter((name) => !name.endsWith('.tmp'));
  const faults = names.flatMap((name) =>
    parseControlName(name) === null
      ? [`"${join(directory, name)}" is not a request to a run. Delete it.`]
      : [],
  );
  return { checked: names.length, faults };
}

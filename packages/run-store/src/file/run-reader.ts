import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOptions, type ExpectationsOf, expected } from '@agent/text/options';
import { translated } from '../context-store-error.ts';
import { isThere, listEntries, unlessMissing } from '../disk/files.ts';
import { readLastLines } from '../disk/lines.ts';
import { isRunDirectory } from '../disk/run-directories.ts';
import { listRecentRuns } from '../index/recent-runs.ts';
import {
  type JournalFiles,
  placesExpectations,
  type RunPlaces,
  type RunPlacesOptions,
  toJournalFiles,
  toRunPlaces,
} from '../places.ts';
import { lostBeginning } from '../record/read-record.ts';
import {
  readMetadata,
  readOutcome,
  readRunFacts,
  readTaskState,
  toRecordSource,
} from '../record/run-record.ts';
import type { DamagedRun, RunPlace } from '../run-model.ts';
import {
  type LineKind,
  type RunLines,
  type RunReader,
  readLastLinesOf,
  type ShownRun,
  type WantedLines,
} from '../run-reader.ts';
import { isUuid } from '../storage-names.ts';
import { createRunReader, type RunSource } from '../store/create-run-reader.ts';
import {
  describePlaces,
  findDirectories,
  listPausedDirectories,
  listRunningDirectories,
  readUnlessMoved,
} from './list-runs.ts';
import { openStateReader } from './run-state.ts';

/** Options of a reader of files. */
export interface FileRunReaderOptions<Message> extends RunPlacesOptions {
  /** Checks a message that comes back from disk; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
}

/**
 * Reads what `createFileRunStore` writes.
 *
 * @example
 * const reader = createFileRunReader({ baseDirectory, parseMessage });
 * const { running, paused } = await reader.readOverview({ recent: 10 });
 */
export function createFileRunReader<Message extends { readonly role: string }>(
  options: FileRunReaderOptions<Message>,
): RunReader<Message> {
  const expectations: ExpectationsOf<FileRunReaderOptions<never>> = {
    ...placesExpectations,
    parseMessage: expected.function,
  };
  checkOptions('FileRunReaderOptions', options, expectations, ['baseDirectory', 'parseMessage']);
  return createRunReader(createFileRunSource(toRunPlaces(options)), options);
}

function createFileRunSource(places: RunPlaces): RunSource {
  return {
    location: describePlaces(places),
    list: (place, of) =>
      place === 'running' ? listRunningDirectories(places.running, of) : listPausedDirectories(places.paused),
    listRecent: async (limit) => {
      const { runs, unreadable } = await listRecentRuns(places.recent, limit);
      return { runs: runs.toReversed(), damaged: describeUnreadable(unreadable) };
    },
    listKept: () => listKept(places),
    find: (prefix) => findDirectories(places, prefix),
    readStanding: async ({ location, place }) => {
      await isRunDirectory(location);
      return (await readUnlessMoved(location, () => readStanding(location, place)))?.value ?? null;
    },
    openRecord: ({ location }) => toRecordSource(toJournalFiles(location)),
    readState: (uuid, name) => openStateReader(places, uuid).read(name),
    isThere: ({ location }) => isThere(location),
  };
}

/** The files beside the record may lag behind it while a run is at work; what is done with such a run rests on the record. */
async function readStanding(
  directory: string,
  place: RunPlace,
): Promise<Pick<ShownRun<unknown>, 'metadata' | 'pause' | 'outcome'>> {
  if (place === 'running') {
    const { metadata, pause, outcome } = await readRunFacts(directory);
    return { metadata, pause, outcome };
  }
  return {
    metadata: await readMetadata(directory),
    pause: await readTaskState(directory),
    outcome: await readOutcome(directory),
  };
}

function describeUnreadable(lines: number): readonly DamagedRun[] {
  const reason = `${lines} of its lines cannot be read. They are only a list; the runs themselves are not touched.`;
  return lines === 0 ? [] : [{ name: 'recent.jsonl', reason }];
}

/** Runs move from one place to the next, and a paused one back: each place is looked at twice. */
async function listKept({ paused, running, completed }: RunPlaces): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  for (const place of [paused, running, completed, paused, running, completed])
    for (const name of await listEntries(place)) kept.add(name);
  return kept;
}

/**
 * Reads the lines of runs that ended from their records. Needs no lock.
 *
 * @example
 * const { readLast } = createFileRunLines({ baseDirectory });
 * const lines = await readLast(uuid, { summaries: { limit: 1 } }); // lines?.summaries
 */
export function createFileRunLines(options: Pick<RunPlacesOptions, 'baseDirectory'>): RunLines {
  const { baseDirectory } = placesExpectations;
  checkOptions('FileRunLinesOptions', options, { baseDirectory }, ['baseDirectory']);
  const places = toRunPlaces(options);
  const readLast = async <Kind extends LineKind>(
    uuid: string,
    wanted: WantedLines<Kind>,
  ): Promise<Readonly<Record<Kind, readonly string[]>> | null> => {
    const directory = await findEndedRun(places, uuid);
    if (directory === null) return null;
    const read = await readUnlessMoved(directory, () => readLastOf(directory, wanted));
    return read === null ? readLast(uuid, wanted) : read.value;
  };
  const readLastOf = async <Kind extends LineKind>(directory: string, wanted: WantedLines<Kind>) => {
    const files = toJournalFiles(directory);
    // A record without its beginning says nothing: the files beside it do.
    if (await lostBeginning(files.messages)) return readFilesBeside(files, wanted);
    const metadata = 'planning' in wanted ? await readMetadata(directory) : null;
    return readLastLinesOf(toRecordSource(files), { wanted, metadata });
  };
  return { readLast: (uuid, wanted) => translated(readLast(uuid, wanted), `read run ${uuid}`) };
}

async function readFilesBeside<Kind extends LineKind>(
  files: JournalFiles,
  wanted: WantedLines<Kind>,
): Promise<Readonly<Record<Kind, readonly string[]>>> {
  const kinds = Object.keys(wanted) as Kind[];
  const read = kinds.map(async (kind) => [kind, await readLastLines(files[kind], wanted[kind])]);
  return Object.fromEntries(await Promise.all(read));
}

/** A run that ended lies in `completed/`, or still in `running/` when it was not moved yet. */
async function findEndedRun({ completed, running }: RunPlaces, uuid: string): Promise<string | null> {
  if (!isUuid(uuid)) return null;
  // Looked at again at the end: the run may be moved meanwhile.
  for (const place of [completed, running, completed])
    if (await isDirectory(join(place, uuid))) return join(place, uuid);
  // A disk that is not mounted has no directories either, and is no reason to forget a run (decision C5).
  await readdir(completed);
  return null;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path), null))?.isDirectory() ?? false;
}

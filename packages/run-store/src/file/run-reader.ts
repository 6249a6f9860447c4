import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toSystemCode, translated } from '../context-store-error.ts';
import { isThere, listEntries } from '../disk/files.ts';
import { createTail, type LineBounds, readLastLines, type Tail } from '../disk/lines.ts';
import { isRunDirectory } from '../disk/run-directories.ts';
import { listRecentRuns } from '../index/recent-runs.ts';
import { type HistoryEntry, readHistory } from '../journal/read-journal.ts';
import { toPlanningLine } from '../lines/planning-line.ts';
import { sliceProjectedLine } from '../lines/record-line.ts';
import { type RunPlaces, type RunPlacesOptions, toJournalFiles, toRunPlaces } from '../places.ts';
import { lostBeginning, parseFact } from '../record/read-record.ts';
import {
  readMetadata,
  readOutcome,
  readRunFacts,
  readRunRecord,
  readTaskState,
  toRecordSource,
} from '../record/run-record.ts';
import type { DamagedRun, RunPlace } from '../run-model.ts';
import {
  kindOf,
  type LineKind,
  type RunLines,
  type RunOverview,
  type RunReader,
  type ShownRun,
  type WantedLines,
} from '../run-reader.ts';
import { isUuid } from '../run-uuid.ts';
import { isOfThread, toPausedRuns, toUnfinishedRuns } from '../store/list-runs.ts';
import {
  findRun,
  listPausedDirectories,
  listRunningDirectories,
  readUnlessMoved,
  readWhereItLies,
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
  const places = toRunPlaces(options);
  return {
    readOverview: ({ recent }) => translated(readOverview(places, recent), 'read the runs'),
    listRunning: async ({ of } = {}) => {
      const listed = listRunningDirectories(places.running, of).then(toUnfinishedRuns);
      const { runs } = await translated(listed, 'read the runs at work');
      return runs.filter(({ metadata }) => of === undefined || isOfThread(metadata, of));
    },
    readRun: (name) => translated(readRun(name), `read run ${JSON.stringify(name)}`),
    listKept: () => translated(listKept(places), 'list the runs'),
  };

  async function readRun(name: string): Promise<ShownRun<Message>> {
    return readWhereItLies({ places, name }, async ({ uuid, place, directory }) => {
      await isRunDirectory(directory);
      return {
        uuid,
        place,
        location: directory,
        ...(await readStanding(directory, place)),
        state: openStateReader(places, uuid),
        history: () => readMovingHistory(uuid),
      };
    });
  }

  /** Begins where the run lies by then, and anew when it was moved first: once its file is open, a move changes nothing. */
  async function* readMovingHistory(uuid: string): AsyncGenerator<HistoryEntry<Message>> {
    for (let isBegun = false; !isBegun; ) {
      const { directory } = await findRun(places, uuid);
      try {
        for await (const entry of readHistory(toRecordSource(toJournalFiles(directory)), options)) {
          isBegun = true;
          yield entry;
        }
      } catch (error) {
        if (isBegun || (await isThere(directory))) throw error;
      }
      if (!isBegun && (await isThere(directory))) return;
    }
  }
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

async function readOverview(places: RunPlaces, limit: number): Promise<RunOverview> {
  // In the order in which runs move: one that moves meanwhile is seen twice rather than never.
  const running = toUnfinishedRuns(await listRunningDirectories(places.running));
  const paused = toPausedRuns(await listPausedDirectories(places.paused));
  const { runs, unreadable } = await listRecentRuns(places.recent, limit);
  return {
    running: running.runs,
    pausing: running.pausing,
    paused: paused.runs,
    recent: runs.toReversed(),
    damaged: [...running.damaged, ...paused.damaged, ...describeUnreadable(unreadable)],
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
    const kinds = Object.keys(wanted) as Kind[];
    const files = toJournalFiles(directory);
    // A record without its beginning says nothing: the files beside it do.
    const isLost = await lostBeginning(files.messages);
    const read = isLost ? null : await readRecordLines(directory, wanted);
    const listed = kinds.map(async (kind) => {
      return [kind, read?.get(kind)?.lines ?? (await readLastLines(files[kind], wanted[kind]))];
    });
    return Object.fromEntries(await Promise.all(listed));
  };
  return { readLast: (uuid, wanted) => translated(readLast(uuid, wanted), `read run ${uuid}`) };
}

/** Last lines of each kind, out of one pass over the record. */
async function readRecordLines(
  directory: string,
  wanted: Readonly<Partial<Record<LineKind, LineBounds>>>,
): Promise<ReadonlyMap<LineKind, Tail>> {
  const lines = new Map<LineKind, Tail>();
  for (const [kind, bounds] of Object.entries(wanted)) lines.set(kind as LineKind, createTail(bounds));
  const readPlanning = lines.has('planning') ? await openPlanningLines(directory) : sliceProjectedLine;
  const isWanted = (name: string | null) => lines.has(kindOf.get(name ?? '') as LineKind);
  for await (const batch of readRunRecord(toJournalFiles(directory), { isWanted, onBroken: ignoreBroken }))
    for (const { name, text } of batch) {
      const kind = kindOf.get(name ?? '') as LineKind;
      const read = kind === 'planning' ? readPlanning : sliceProjectedLine;
      lines.get(kind)?.push(read(text).trimEnd());
    }
  return lines;
}

async function openPlanningLines(directory: string): Promise<(text: string) => string> {
  const metadata = await readMetadata(directory);
  return (text) => toPlanningLine(parseFact(text), metadata) ?? '{}';
}

const ignoreBroken = () => undefined;

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
  return stat(path).then(
    (status) => status.isDirectory(),
    (error: unknown) => {
      if (toSystemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThreadReference } from '@agent/platforms';
import { toSystemCode, translated } from '../context-store-error.ts';
import { isThere, listEntries } from '../disk/files.ts';
import { createTail, type LineBounds, readLastLines, type Tail } from '../disk/lines.ts';
import { type HistoryEntry, readHistory } from '../journal/read-journal.ts';
import type { RunEnd } from '../journal-model.ts';
import { type RunPlaces, type RunPlacesOptions, toJournalFiles, toRunPlaces } from '../places.ts';
import { planningFact, toPlanningLine } from '../planning/planning-line.ts';
import type { RunState } from '../ports.ts';
import { lostBeginning, parseFact } from '../record/read-record.ts';
import { sliceProjectedLine } from '../record/record-line.ts';
import {
  readMetadata,
  readOutcome,
  readRunFacts,
  readRunRecord,
  readTaskState,
  toRecordSource,
} from '../record/run-record.ts';
import type { DamagedRun, RunMetadata } from '../run-model.ts';
import {
  type FoundRun,
  findRun,
  isOfThread,
  listPausedDirectories,
  listRunningDirectories,
  type RunningDirectories,
  type RunPlace,
  readUnlessMoved,
  readWhereItLies,
} from './list-runs.ts';
import { listRecentRuns, type RecentRun } from './recent-runs.ts';
import { isRunDirectory, isUuid } from './run-directory.ts';
import { openStateReader } from './run-state.ts';
import type { PausedRun, TaskState } from './task-state.ts';

/** Runs of a store, at a glance. */
export interface RunOverview {
  /** Oldest first; with an outcome, the run has ended and its end is being shown. */
  readonly running: RunningDirectories['runs'];
  /** About to be paused; still in `running/`. */
  readonly pausing: readonly PausedRun[];
  /** The longest paused first. */
  readonly paused: readonly PausedRun[];
  /** Ended runs, the latest first. */
  readonly recent: readonly RecentRun[];
  readonly damaged: readonly DamagedRun[];
}

/** One run, wherever it lies. */
export interface ShownRun<Message> extends Pick<FoundRun, 'uuid' | 'place'> {
  readonly metadata: RunMetadata;
  /** Place where it lies, in words for people: a path. */
  readonly location: string;
  /** Null for a run that was never paused. */
  readonly pause: TaskState | null;
  /** Read where the run lies at that time. */
  readonly state: Pick<RunState, 'read'>;
  readonly outcome: (RunEnd & { readonly finishedAt: string }) | null;
  /** Messages, summaries and tool calls, in the order in which they happened. */
  readonly history: () => AsyncIterable<HistoryEntry<Message>>;
}

/** Looks at runs from any process, without the lock: never writes, repairs or removes anything. */
export interface RunReader<Message> {
  /** `recent`: how many ended runs are wanted. What lies in `completed/` is not looked at. */
  readonly readOverview: (options: { readonly recent: number }) => Promise<RunOverview>;
  /** The runs at work alone, in the same order, or those of one thread: whoever begins one there asks for no others. */
  readonly listRunning: (options?: {
    readonly of?: ThreadReference | undefined;
  }) => Promise<RunOverview['running']>;
  /** By uuid, or at least four characters of its beginning. */
  readonly readRun: (nameOrPrefix: string) => Promise<ShownRun<Message>>;
  /** Uuids of all runs that are kept, running, paused or ended, however they move meanwhile. */
  readonly listKept: () => Promise<ReadonlySet<string>>;
}

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
      const { runs } = await translated(listRunningDirectories(places.running, of), 'read the runs at work');
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
  const running = await listRunningDirectories(places.running);
  const paused = await listPausedDirectories(places.paused);
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

/** File of a run whose lines are read; `planning` has the progress, too, that stands between the decisions of its file. */
export type LineKind = 'summaries' | 'planning' | 'tools';

/** Reads what a run wrote, line by line and as it stands, for the runs that come after it. */
export interface RunLines {
  /**
   * The last whole lines of each file that is named, oldest first, out of one pass over the record; none where nothing was
   * written, null for a run that is not kept.
   * @throws {ContextStoreError} when it could not be asked: that is not the same as "not kept"
   */
  readonly readLast: <Kind extends LineKind>(
    uuid: string,
    wanted: Wanted<Kind>,
  ) => Promise<Readonly<Record<Kind, readonly string[]>> | null>;
}

type Wanted<Kind extends LineKind> = Readonly<Record<Kind, LineBounds>>;

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
    wanted: Wanted<Kind>,
  ): Promise<Readonly<Record<Kind, readonly string[]>> | null> => {
    const directory = await findEndedRun(places, uuid);
    if (directory === null) return null;
    const read = await readUnlessMoved(directory, () => readLastOf(directory, wanted));
    return read === null ? readLast(uuid, wanted) : read.value;
  };
  const readLastOf = async <Kind extends LineKind>(directory: string, wanted: Wanted<Kind>) => {
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

/** Lines that facts stand for, by the names of the facts. */
export const kindOf: ReadonlyMap<string, LineKind> = new Map([
  ['tool-started', 'tools'],
  ['tool-finished', 'tools'],
  ['summary', 'summaries'],
  [planningFact, 'planning'],
]);

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

import { translated } from '../context-store-error.ts';
import { type HistoryEntry, readHistory } from '../journal/read-journal.ts';
import type { RunEnd } from '../journal-model.ts';
import { type RunPlaces, type RunPlacesOptions, toJournalFiles, toRunPlaces } from '../places.ts';
import type { RunState } from '../ports.ts';
import type { DamagedRun, RunMetadata } from '../run-model.ts';
import {
  type FoundRun,
  findRun,
  listPausedDirectories,
  listRunningDirectories,
  type RunningDirectories,
} from './list-runs.ts';
import { listRecentRuns, type RecentRun } from './recent-runs.ts';
import { isRunDirectory } from './run-directory.ts';
import { readMetadata, readOutcome } from './run-documents.ts';
import { openStateOf } from './run-state.ts';
import { type PausedRun, readTaskState, type TaskState } from './task-state.ts';

/** What there is, at a glance. */
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
  /** Where it lies, in words for people: a path. */
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
  /** By uuid, or at least four characters of its beginning. */
  readonly readRun: (nameOrPrefix: string) => Promise<ShownRun<Message>>;
}

/** Options of a reader of files. */
export interface FileRunReaderOptions<Message> extends RunPlacesOptions {
  /** Checks a message that comes back from disk; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
}

/** Reads what `createFileRunStore` writes. */
export function createFileRunReader<Message extends { readonly role: string }>(
  options: FileRunReaderOptions<Message>,
): RunReader<Message> {
  const places = toRunPlaces(options);
  return {
    readOverview: ({ recent }) => translated(readOverview(places, recent), 'read the runs'),
    readRun: (name) => translated(readRun(name), `read run ${JSON.stringify(name)}`),
  };

  async function readRun(name: string): Promise<ShownRun<Message>> {
    const { uuid, place, directory } = await findRun(places, name);
    await isRunDirectory(directory);
    return {
      uuid,
      place,
      location: directory,
      metadata: await readMetadata(directory),
      state: { read: openStateOf(places, uuid).read },
      pause: await readTaskState(directory, uuid),
      outcome: await readOutcome(directory),
      history: () => readHistory(toJournalFiles(directory), options),
    };
  }
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

import type { ThreadReference } from '@agent/platforms';
import { ContextStoreError, translated } from '../context-store-error.ts';
import type { ListedRuns } from '../driver.ts';
import type { IndexedRun } from '../index/indexed-run.ts';
import { toIndexedRun } from '../index/read-indexed-run.ts';
import type { RecentRun } from '../index/recent-runs.ts';
import { type HistoryEntry, readHistory } from '../journal/read-journal.ts';
import { pickSummary } from '../lines/summary-line.ts';
import type { KnownFacts } from '../record/run-facts.ts';
import type { RecordSource } from '../record/run-record.ts';
import type { DamagedRun, RunMetadata, RunPlace } from '../run-model.ts';
import { type RunLines, type RunReader, readLastLinesOf, type ShownRun } from '../run-reader.ts';
import { requirePrefix } from '../storage-names.ts';
import { isOfThread, toPausedRuns, toUnfinishedRuns } from './list-runs.ts';

/** What any process reads of a medium that stores runs, without owning anything. */
export interface RunSource {
  /** The medium in words for people. */
  readonly location: string;
  /** Lists the runs in a place, or those that may be of one thread. */
  readonly list: (place: Exclude<RunPlace, 'completed'>, of?: ThreadReference) => Promise<ListedRuns>;
  /** Lists the runs that ended, the latest first. */
  readonly listRecent: (limit: number) => Promise<{
    readonly runs: readonly RecentRun[];
    readonly damaged: readonly DamagedRun[];
  }>;
  readonly listKept: () => Promise<ReadonlySet<string>>;
  /** Finds the runs whose uuid begins like this. Of many, a few are enough. */
  readonly find: (prefix: string) => Promise<readonly FoundRun[]>;
  /** Reads what a run is; null if it was moved meanwhile. */
  readonly readStanding: (
    run: FoundRun,
  ) => Promise<Pick<KnownFacts, 'metadata' | 'outcome' | 'pause'> | null>;
  readonly openRecord: (run: FoundRun) => RecordSource;
  readonly readState: (uuid: string, name: string) => Promise<unknown>;
  /** Tells whether a run is still where it was found. Default true: a record is found wherever its run is. */
  readonly isThere?: ((run: FoundRun) => Promise<boolean>) | undefined;
}

/** A run in its place. */
export interface FoundRun {
  readonly uuid: string;
  readonly place: RunPlace;
  /** Its place in words for people: a path. */
  readonly location: string;
}

/** Reads the runs of a medium as any process can. */
export function createRunReader<Message>(
  source: RunSource,
  options: { readonly parseMessage: (json: unknown) => Message },
): RunReader<Message> {
  async function readOverview(recent: number) {
    // In the order in which runs move: one that moves meanwhile is seen twice rather than never.
    const running = toUnfinishedRuns(await source.list('running'));
    const paused = toPausedRuns(await source.list('paused'));
    const ended = await source.listRecent(recent);
    return {
      ...{ running: running.runs, pausing: running.pausing, paused: paused.runs, recent: ended.runs },
      damaged: [...running.damaged, ...paused.damaged, ...ended.damaged],
    };
  }

  async function readRun(name: string): Promise<ShownRun<Message>> {
    for (;;) {
      const found = await findRun(source, name);
      const standing = await source.readStanding(found);
      if (standing === null) continue;
      const { metadata, outcome, pause } = standing;
      const { uuid } = found;
      return {
        ...{ ...found, metadata, outcome, pause },
        state: { read: (wanted) => source.readState(uuid, wanted) },
        history: () => readMovingHistory(uuid),
      };
    }
  }

  /** Begins where the run is by then, and again if it was moved first: once its record is open, a move changes nothing. */
  async function* readMovingHistory(uuid: string): AsyncGenerator<HistoryEntry<Message>> {
    for (let isBegun = false; !isBegun; ) {
      const found = await findRun(source, uuid);
      const isThere = async () => (await source.isThere?.(found)) ?? true;
      try {
        for await (const entry of readHistory(source.openRecord(found), options)) {
          isBegun = true;
          yield entry;
        }
      } catch (error) {
        if (isBegun || (await isThere())) throw error;
      }
      if (!isBegun && (await isThere())) return;
    }
  }

  return {
    readOverview: ({ recent }) => translated(readOverview(recent), 'read the runs'),
    listRunning: async ({ of } = {}) => {
      const { runs } = toUnfinishedRuns(
        await translated(source.list('running', of), 'read the runs at work'),
      );
      return runs.filter(({ metadata }) => of === undefined || isOfThread(metadata, of));
    },
    readRun: (name) => translated(readRun(name), `read run ${JSON.stringify(name)}`),
    listKept: () => translated(source.listKept(), 'list the runs'),
  };
}

/**
 * Finds a run by its uuid, or by the beginning of it.
 * @throws {ContextStoreError} `invalid` if there is none, or more than one
 */
export async function findRun<Found extends Pick<FoundRun, 'uuid' | 'place'>>(
  {
    location,
    find,
  }: { readonly location: string; readonly find: (prefix: string) => Promise<readonly Found[]> },
  nameOrPrefix: string,
): Promise<Found> {
  const prefix = requirePrefix(nameOrPrefix);
  const found = await find(prefix);
  const [first, second] = found;
  if (first === undefined)
    throw isInvalid(`No run begins with "${prefix}" in ${location}. "status" lists the runs.`);
  if (second === undefined) return first;
  const names = found.slice(0, 5).map(({ uuid, place }) => `${uuid} (${place})`);
  throw isInvalid(`More than one run begins with "${prefix}": ${names.join(', ')}. Give more of the uuid.`);
}

function isInvalid(message: string): ContextStoreError {
  return new ContextStoreError(message, { code: 'invalid' });
}

/** A run whose lines are read. */
export interface ReadableRun {
  readonly record: RecordSource;
  /** Null if no line of `planning` is read. */
  readonly metadata: RunMetadata | null;
}

/** Creates a reader of lines for later runs. `find` resolves with null for a run that is paused or not stored. */
export function createRunLines(find: (uuid: string) => Promise<ReadableRun | null>): RunLines {
  return {
    readLast: async (uuid, wanted) => {
      const run = await find(uuid);
      return run === null ? null : readLastLinesOf(run.record, { wanted, metadata: run.metadata });
    },
  };
}

/** Describes a run that ended, as an index stores it; null for a run that is put away while it is paused. */
export async function describeEndedRun(
  { metadata, outcome }: KnownFacts,
  { readLast }: RunLines,
): Promise<IndexedRun | null> {
  const found = await readLast(metadata.uuid, { summaries: { limit: 1 } });
  return toIndexedRun(metadata, { ...pickSummary(found?.summaries ?? []), outcome });
}

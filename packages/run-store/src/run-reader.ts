import type { ThreadReference } from '@agent/platforms';
import { createTail, type LineBounds, type Tail } from './disk/lines.ts';
import type { RecentRun } from './index/recent-runs.ts';
import type { HistoryEntry } from './journal/read-journal.ts';
import type { RunEnd } from './journal-model.ts';
import { planningFact, toPlanningLine } from './lines/planning-line.ts';
import { sliceProjectedLine } from './lines/record-line.ts';
import type { PausedRun, TaskState } from './lines/task-state.ts';
import type { RunState, UnfinishedRuns } from './ports.ts';
import { parseFact } from './record/read-record.ts';
import type { RecordSource } from './record/run-record.ts';
import type { DamagedRun, RunMetadata, RunPlace } from './run-model.ts';

/** Runs of a store, at a glance. */
export interface RunOverview {
  /** Oldest first; with an outcome, the run has ended and its end is being shown. */
  readonly running: UnfinishedRuns['runs'];
  /** About to be paused; still in `running/`. */
  readonly pausing: readonly PausedRun[];
  /** The longest paused first. */
  readonly paused: readonly PausedRun[];
  /** Ended runs, the latest first. */
  readonly recent: readonly RecentRun[];
  readonly damaged: readonly DamagedRun[];
}

/** One run, wherever it lies. */
export interface ShownRun<Message> {
  readonly uuid: string;
  readonly place: RunPlace;
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
    wanted: WantedLines<Kind>,
  ) => Promise<Readonly<Record<Kind, readonly string[]>> | null>;
}

/** Bounds of the lines that are wanted of each file. */
export type WantedLines<Kind extends LineKind> = Readonly<Record<Kind, LineBounds>>;

/** Lines that facts stand for, by the names of the facts. */
export const kindOf: ReadonlyMap<string, LineKind> = new Map([
  ['tool-started', 'tools'],
  ['tool-finished', 'tools'],
  ['summary', 'summaries'],
  [planningFact, 'planning'],
]);

/** The line of a file that a fact stands for, as later runs read it. `metadata`: of its run, for `planning`. */
export function toRunLine(
  text: string,
  { kind, metadata }: { readonly kind: LineKind; readonly metadata: RunMetadata | null },
): string {
  if (kind !== 'planning' || metadata === null) return sliceProjectedLine(text).trimEnd();
  return (toPlanningLine(parseFact(text), metadata) ?? '{}').trimEnd();
}

/** Reads the last lines of each kind, out of one pass over a record. `metadata`: as in `toRunLine`. */
export async function readLastLinesOf<Kind extends LineKind>(
  { readLines }: RecordSource,
  { wanted, metadata }: { readonly wanted: WantedLines<Kind>; readonly metadata: RunMetadata | null },
): Promise<Readonly<Record<Kind, readonly string[]>>> {
  const kinds = Object.keys(wanted) as Kind[];
  const tails = new Map<LineKind, Tail>(kinds.map((kind) => [kind, createTail(wanted[kind])]));
  const findKind = (name: string | null) => kindOf.get(name ?? '') as LineKind;
  const isWanted = (name: string | null) => tails.has(findKind(name));
  for await (const lines of readLines({ isWanted, onBroken: () => undefined }))
    for (const { name, text } of lines)
      tails.get(findKind(name))?.push(toRunLine(text, { kind: findKind(name), metadata }));
  const read = kinds.map((kind) => [kind, tails.get(kind)?.lines ?? []]);
  return Object.fromEntries(read) as Readonly<Record<Kind, readonly string[]>>;
}

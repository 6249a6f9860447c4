import type { RecordMark, RunHead, RunReader, RunStamp, RunStamps, StorageWatch } from '@agent/run-store';
import type { WaitingEntry } from '../queue/queue-entry.ts';
import { readTaskKeyText } from '../queue/queue-entry.ts';
import { type RunEntry, toEndedEntry, toLiveEntry, toQueuedEntry, toWaitingEntry } from './board-row.ts';
import { afterLine, noCourse, type RunCourse } from './run-course.ts';
import { RunProjection } from './run-projection.ts';

/** Change that a page may show; `uuid` is null for the board as a whole. */
export interface PageChange {
  readonly uuid: string | null;
  readonly threadKey: string | null;
}

/** Sources of the picture of all runs. */
export interface FollowRunsOptions {
  readonly watch: StorageWatch;
  readonly listKept: RunReader<unknown>['listKept'];
  /** Tasks that wait for their turn; null where this process has no queue. */
  readonly listWaiting: (() => Promise<readonly WaitingEntry[]>) | null;
  /** The most ended runs that are remembered, the latest. Default 200,000. */
  readonly maxEnded?: number | undefined;
  /** Milliseconds between two looks for runs that were removed, which lists all. Default 30,000. */
  readonly sweepMs?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const partRuns = 1_000;
const partLines = 500;

/** A run that has not ended, as it was read last. */
interface FollowedRun {
  readonly stamp: RunStamp;
  readonly head: RunHead;
  /** Null for one that is paused. */
  readonly course: { readonly said: RunCourse; readonly mark: RecordMark | null } | null;
}

/**
 * Keeps a picture of all runs, and of what waits for one. A refresh reads what has changed since the one before: the names and sizes of
 * what lives, the lines that were written to runs at work, and the runs that have ended meanwhile.
 */
export class FollowedRuns {
  readonly projection = new RunProjection();
  readonly #options: FollowRunsOptions;
  readonly #live = new Map<string, FollowedRun>();
  #ranks: ReadonlyMap<string, number> = new Map();
  #ended: string | null = null;
  #queued: readonly WaitingEntry[] = [];
  #refreshing: Promise<readonly PageChange[]> | null = null;
  #loading: Promise<void> | null = null;
  #isWhole = false;
  #mayBeRemoved = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: FollowRunsOptions) {
    this.#options = options;
  }

  /** True once all runs that ended are known. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Milliseconds for which the picture has been as it is; infinite where nothing was read yet. */
  get ageMs(): number {
    return this.#options.now() - this.#readAt;
  }

  /** Reads what has changed; one who asks meanwhile gets the same answer. @throws what could not be read */
  refresh(): Promise<readonly PageChange[]> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Reads all runs that ended, a part at a time, the latest first; after that, forgets those that are not kept any more. */
  async load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    await this.#loading;
    await this.sweep();
  }

  /** Forgets runs that are not kept any more, if any may have been removed and it was not looked for a while ago. */
  async sweep(): Promise<readonly PageChange[]> {
    const { now, sweepMs = 30_000 } = this.#options;
    if (!this.#isWhole || !this.#mayBeRemoved || now() < this.#sweptAt + sweepMs) return [];
    this.#mayBeRemoved = false;
    this.#sweptAt = now();
    return this.#forgetRemoved();
  }

  async #refresh(): Promise<readonly PageChange[]> {
    const { watch, listWaiting, now } = this.#options;
    const beganAt = now();
    const stamps = await watch.listStamps();
    const queued = (await listWaiting?.()) ?? [];
    const gone = this.#forgetGone(stamps);
    const changed = [...(await this.#readChanged(stamps)), ...gone];
    const isEnded = stamps.ended !== this.#ended || gone.length > 0;
    const ended = isEnded ? await this.#readEnded(stamps) : [];
    const moved = this.#queue(queued, changed);
    this.#readAt = beganAt;
    const changes = [...changed, ...ended, ...moved];
    const board = { uuid: null, threadKey: null };
    return changes.length === 0 ? [] : [...changes.filter(({ uuid }) => uuid !== null), board];
  }

  async #readChanged({ live }: RunStamps): Promise<readonly PageChange[]> {
    const stamps = [...new Map(live.map((stamp) => [stamp.uuid, stamp])).values()];
    const changed = stamps.filter(({ uuid, place, stamp }) => {
      const known = this.#live.get(uuid)?.stamp;
      return known?.place !== place || known.stamp !== stamp;
    });
    const byUuid = new Map(changed.map((stamp) => [stamp.uuid, stamp]));
    const isKnown = ({ uuid, place }: RunStamp) =>
      place === 'running' && this.#live.get(uuid)?.stamp.place === 'running';
    const fresh = await this.#options.watch.readHeads(changed.filter((stamp) => !isKnown(stamp)));
    const known = changed.filter(isKnown).flatMap(({ uuid }) => this.#live.get(uuid)?.head ?? []);
    const changes: PageChange[] = [];
    for (const head of [...fresh, ...known]) {
      const stamp = byUuid.get(head.uuid);
      if (stamp !== undefined) changes.push(await this.#follow(head, stamp));
    }
    return changes;
  }

  async #follow(head: RunHead, stamp: RunStamp): Promise<PageChange> {
    const { uuid } = head;
    const before = this.#live.get(uuid);
    const course = head.place === 'paused' ? null : await this.#readOn(uuid, before?.course ?? null);
    this.#live.set(uuid, { stamp, head, course });
    this.projection.put(toLiveEntry(head, course?.said ?? null));
    return { uuid, threadKey: head.metadata.taskKeyText };
  }

  /** Reads the lines that were written since. */
  async #readOn(uuid: string, before: FollowedRun['course']): Promise<FollowedRun['course']> {
    let { said, mark } = before ?? { said: noCourse, mark: null };
    for (let isMore = true; isMore; ) {
      const part = await this.#options.watch.readRecord(uuid, { from: mark, limit: partLines });
      if (part === null) break;
      if (part.isAnew) said = noCourse;
      for (const { text } of part.lines) said = afterLine(said, text);
      mark = part.next;
      isMore = part.lines.length > 0;
    }
    return { said, mark };
  }

  #forgetGone({ live }: RunStamps): readonly PageChange[] {
    const there = new Set(live.map(({ uuid }) => uuid));
    const gone = [...this.#live.values()].filter(({ head }) => !there.has(head.uuid));
    return gone.map(({ head: { uuid, metadata } }) => {
      this.#live.delete(uuid);
      this.projection.remove(uuid);
      return { uuid, threadKey: metadata.taskKeyText };
    });
  }

  /** Reads the runs that ended since the last time, and forgets those that were removed. */
  async #readEnded({ ended }: RunStamps): Promise<readonly PageChange[]> {
    const changes: PageChange[] = [];
    const isFirst = this.#ended === null;
    let next: string | null = null;
    do {
      const part = await this.#options.watch.listEnded(next, { limit: isFirst ? partRuns : 50 });
      const fresh = part.runs.filter(({ uuid }) => this.projection.get(uuid)?.state !== 'ended');
      changes.push(...this.#add(fresh.map(toEndedEntry)));
      next = isFirst || fresh.length < part.runs.length ? null : part.next;
    } while (next !== null);
    this.#ended = ended;
    this.#mayBeRemoved = true;
    return changes;
  }

  #add(entries: readonly RunEntry[]): readonly PageChange[] {
    // One that goes on again is not one that ended.
    const ended = entries.filter(({ id }) => !this.#live.has(id));
    for (const entry of ended) this.projection.put(entry);
    return ended.map(({ uuid, threadKey }) => ({ uuid, threadKey }));
  }

  async #load(): Promise<void> {
    const { watch, maxEnded = 200_000 } = this.#options;
    let next: string | null = null;
    do {
      const part = await watch.listEnded(next, { limit: partRuns });
      this.#add(part.runs.filter(({ uuid }) => this.projection.get(uuid) === null).map(toEndedEntry));
      next = this.projection.list('ended').length >= maxEnded ? null : part.next;
    } while (next !== null);
    this.#isWhole = true;
    this.#mayBeRemoved = true;
  }

  /** Forgets runs that are not kept any more. */
  async #forgetRemoved(): Promise<readonly PageChange[]> {
    const kept = await this.#options.listKept();
    const gone = this.projection.list('ended').filter(({ id }) => !kept.has(id));
    for (const { id } of gone) this.projection.remove(id);
    return gone.map(({ uuid, threadKey }) => ({ uuid, threadKey }));
  }

  /** Shows what waits in the order of the queue: threads without a run, and runs that wait for their turn. */
  #queue(queued: readonly WaitingEntry[], changed: readonly PageChange[]): readonly PageChange[] {
    const before = new Map(this.#queued.map((entry) => [entry.key, entry]));
    const now = new Map(queued.map((entry) => [entry.key, entry]));
    const gone = this.#queued.filter(({ key, runId }) => now.get(key)?.runId !== runId || !now.has(key));
    for (const entry of gone) this.#unqueue(entry);
    this.#queued = queued;
    const ranks = rankEntries(queued, this.#ranks);
    const isTouched = new Set(changed.map(({ uuid }) => uuid));
    const fresh = queued.filter(({ key, runId }) => {
      const known = before.get(key);
      const isMoved = ranks.get(key) !== this.#ranks.get(key);
      return isMoved || known?.runId !== runId || (runId !== null && isTouched.has(runId));
    });
    this.#ranks = ranks;
    for (const entry of fresh) this.#enqueue(entry, ranks.get(entry.key) ?? 0);
    return [...gone, ...fresh].map(toChange);
  }

  #enqueue(waiting: WaitingEntry, order: number): void {
    const { runId } = waiting;
    const run = runId === null ? null : this.projection.get(runId);
    if (runId === null) this.projection.put(toWaitingEntry(waiting, { order }));
    else if (run !== null) this.projection.put(toQueuedEntry(run, { waiting, order }));
  }

  #unqueue(entry: WaitingEntry): void {
    if (entry.runId === null) this.projection.remove(readTaskKeyText(entry));
    else {
      const live = this.#live.get(entry.runId);
      if (live !== undefined) this.projection.put(toLiveEntry(live.head, live.course?.said ?? null));
    }
  }
}

/**
 * Gives each entry of a queue a place. A known entry keeps its place while the queue keeps the order of the known ones, so that
 * cursors stay good; otherwise all are numbered again.
 */
function rankEntries(
  queued: readonly WaitingEntry[],
  known: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  const nexts = queued.map(({ key }) => known.get(key) ?? null);
  for (let at = nexts.length - 2; at >= 0; at -= 1) nexts[at] ??= nexts[at + 1] ?? null;
  let last = 0;
  for (const [index, { key }] of queued.entries()) {
    const next = nexts[index] ?? null;
    const rank = known.get(key) ?? (next === null ? last + 1 : (last + next) / 2);
    if (rank <= last || (next !== null && rank > next))
      return new Map(queued.map((one, at) => [one.key, at + 1]));
    ranks.set(key, rank);
    last = rank;
  }
  return ranks;
}

function toChange(entry: WaitingEntry): PageChange {
  return { uuid: entry.runId, threadKey: readTaskKeyText(entry) };
}

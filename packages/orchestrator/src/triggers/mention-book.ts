import {
  type CallOptions,
  formatTaskKey,
  type PlaceFailure,
  type Platform,
  PlatformError,
  type TaskKey,
  type TaskListing,
  type TaskSummary,
  type Thread,
} from '@agent/platforms';
import { MentionLedger, type MentionStore } from './mention-ledger.ts';
import type { NextState, TaskState, TaskThread } from './task-trigger.ts';
import { findPlace, type Mention, ThreadMentions } from './thread-mentions.ts';

const doneStates: ReadonlySet<TaskState> = new Set(['completed', 'partial']);

export interface MentionBookOptions {
  /** Remembers which mentions were handled. */
  readonly store: MentionStore;
  /** Repositories of the configuration (`owner/repo`). Older mentions in a new one are not answered. Default: all are one place. */
  readonly places?: (() => readonly string[]) | undefined;
  /** True where a user names each thread: in a place that was never polled, mentions since the last final comment count, too. Default false. */
  readonly named?: boolean | undefined;
  /** True where a run is told of comments while it works; otherwise mentions meanwhile begin another. Default true. */
  readonly runsHear?: boolean | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds that the clocks of this machine and of a platform may be apart when a place is read for the first time. */
const skewMs = 10 * 60_000;
/** GitLab leaves a thread's time where it is for a minute after a change; what is over the minute is for clocks that differ. */
const silentMs = 75_000;
/** With more changed threads than that in a listing the next one begins later; until then it stays the same, so that it can be free. */
const fewThreads = 20;
/** Threads that are remembered between two polls, beside those that are listed again and again. */
const maxWatched = 500;

/** A thread between two polls. */
interface Watched {
  readonly name: string;
  readonly mentions: ThreadMentions;
  /** As the listing said last; null where none named it yet. */
  updatedAt: string | null;
  /** Milliseconds since 1970, when that was seen first. */
  seenAt: number;
  /** True where everything that came with the last change was read. */
  isSettled: boolean;
  /** Mentions that a run is begun for, or was. */
  claimed: readonly Mention[];
}

/** Finds who mentions the agent, and remembers what became of it. */
export class MentionBook {
  readonly #platform: Pick<Platform, 'tasks' | 'identity' | 'openThread'>;
  readonly #options: { readonly [Name in keyof MentionBookOptions]-?: NonNullable<MentionBookOptions[Name]> };
  readonly #watched = new Map<string, Watched>();
  #ledger: Promise<MentionLedger> | null = null;

  constructor(
    platform: Pick<Platform, 'tasks' | 'identity' | 'openThread'>,
    { store, places = () => [''], named = false, runsHear = true, now = Date.now }: MentionBookOptions,
  ) {
    this.#platform = platform;
    this.#options = { store, places, named, runsHear, now };
  }

  /** Lists the open threads with a mention that waits; only those that changed since the last poll are read. */
  async listWaiting({ signal }: CallOptions = {}): Promise<TaskListing> {
    const ledger = await this.#openLedger();
    const { now } = this.#options;
    const places = this.#options.places();
    const beganAt = now();
    const begin = toIso(beganAt - skewMs);
    const since = ledger.findSince(places, { begin, overlapMs: silentMs });
    const query = { label: null, assignee: null, state: 'open', ...since, signal } as const;
    const { tasks, failures } = await this.#platform.tasks.listTasks(query);
    const { unread, failed } = await this.#readChanged(tasks, { beganAt, signal });
    const gone = failures.map(({ place }) => `/${place}/`);
    const missed = new Set([...gone, ...unread.map(({ url }) => url)].map((at) => this.#placeOf(at)));
    await this.#passOver(tasks, { ledger, beganAt });
    const waiting = tasks.filter(({ key }) => this.#isWaiting(this.#find(key), ledger));
    const reached = places.filter((place) => !missed.has(place));
    const tasksIn = Map.groupBy(tasks, ({ url }) => this.#placeOf(url));
    const endOf = (place: string) => this.#findEnd(tasksIn.get(place) ?? [], waiting);
    const read = new Map(reached.map((place) => [place, { begin, until: endOf(place) }]));
    const oldestOpen = this.#findOldestOpen(ledger);
    await ledger.endPoll({ read, unread: missed, oldestOpen, at: toIso(beganAt) });
    this.#forgetSettled(ledger, tasks);
    return { tasks: waiting, failures: [...failures, ...failed] };
  }

  /** Reads a thread whole; true where it waits for a run. */
  async claim(key: TaskKey, thread: Thread, options: CallOptions = {}): Promise<boolean> {
    const ledger = await this.#openLedger();
    const watched = await this.#watch(key, options);
    await watched.mentions.readWhole(thread, options);
    watched.claimed = this.#listOpen(watched, ledger);
    return this.#isWaiting(watched, ledger);
  }

  /** Keeps what a thread shows, and takes what its run was told of for handled. */
  async setState(ports: TaskThread, { state, signal }: NextState): Promise<void> {
    const ledger = await this.#openLedger();
    const watched = await this.#watch(ports.key, { signal });
    const { name } = watched;
    if (state === 'waiting') {
      const { updatedAt, url } = await ports.reader.readThread({ signal });
      await ledger.readAgain(this.#placeOf(url), updatedAt);
      return ledger.setThread(name, { state, changed_at: updatedAt });
    }
    const isUnknown = watched.claimed.length === 0 && ledger.threadOf(name) === null;
    if (state === 'processing' && isUnknown) await this.#claimKnown(watched, { ledger, signal });
    if (state === 'processing' || state === 'paused') {
      await ledger.handle(watched.claimed);
      return ledger.setThread(name, { state, changed_at: toIso(this.#options.now()) });
    }
    await this.#end(watched, { ledger, state, signal });
  }

  /** Takes what waits on a thread for handled. */
  async release(key: TaskKey, options: CallOptions = {}): Promise<void> {
    const ledger = await this.#openLedger();
    const watched = await this.#watch(key, options);
    await ledger.handle(watched.claimed);
    watched.claimed = [];
    await ledger.setThread(watched.name, null);
  }

  /** Lists the mentions that a run is begun for, the oldest first. */
  async listClaimed(key: TaskKey, { signal }: CallOptions = {}): Promise<readonly Mention[]> {
    const ledger = await this.#openLedger();
    const watched = await this.#watch(key, { signal });
    if (watched.claimed.length === 0) await this.#claimKnown(watched, { ledger, signal });
    return watched.claimed;
  }

  /** When the agent gave a thread back to itself (ISO 8601); null where it did not. */
  async returnedAt(key: TaskKey): Promise<string | null> {
    const thread = (await this.#openLedger()).threadOf(formatTaskKey(key));
    return thread?.state === 'waiting' ? thread.changed_at : null;
  }

  async shows(key: TaskKey, states: readonly TaskState[]): Promise<boolean> {
    const ledger = await this.#openLedger();
    const shown = ledger.threadOf(formatTaskKey(key))?.state;
    if (shown !== undefined) return states.includes(shown);
    return states.includes('waiting') && this.#isWaiting(this.#find(key), ledger);
  }

  /** One that cannot be read is tried again at the next call. */
  #openLedger(): Promise<MentionLedger> {
    this.#ledger ??= MentionLedger.open(this.#options.store).catch((error) => {
      this.#ledger = null;
      throw error;
    });
    return this.#ledger;
  }

  #find(key: TaskKey): Watched | undefined {
    return this.#watched.get(formatTaskKey(key));
  }

  async #watch(key: TaskKey, { signal }: CallOptions): Promise<Watched> {
    const known = this.#find(key);
    if (known !== undefined) return known;
    const ownAccount = await this.#platform.identity.whoAmI({ signal });
    const name = formatTaskKey(key);
    const mentions = new ThreadMentions({ open: () => this.#platform.openThread(key), name, ownAccount });
    const watched = { name, mentions, updatedAt: null, seenAt: 0, isSettled: false, claimed: [] };
    this.#watched.set(name, watched);
    return watched;
  }

  /** Reads threads one by one. Where the platform itself is in trouble the rest is left for the next poll. */
  async #readChanged(
    tasks: readonly TaskSummary[],
    { beganAt, signal }: { readonly beganAt: number } & CallOptions,
  ): Promise<{ readonly unread: readonly TaskSummary[]; readonly failed: readonly PlaceFailure[] }> {
    const unread: TaskSummary[] = [];
    const failed: PlaceFailure[] = [];
    for (const [index, task] of tasks.entries()) {
      try {
        await this.#readTask(task, { beganAt, signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (!PlatformError.isInstance(error)) throw error;
        failed.push({ place: formatTaskKey(task.key), error });
        if (error.scope === 'place' || error.scope === 'request') unread.push(task);
        else return { unread: [...unread, ...tasks.slice(index)], failed };
      }
    }
    return { unread, failed };
  }

  async #readTask(
    { key, updatedAt }: TaskSummary,
    { beganAt, signal }: { readonly beganAt: number } & CallOptions,
  ): Promise<void> {
    const watched = await this.#watch(key, { signal });
    const hasChanged = watched.updatedAt !== updatedAt;
    if (!hasChanged && watched.isSettled) return;
    if (hasChanged) Object.assign(watched, { seenAt: beganAt, isSettled: false });
    await watched.mentions.readNew({ withText: hasChanged && (await this.#hasYoungText(watched)), signal });
    Object.assign(watched, { updatedAt, isSettled: beganAt - watched.seenAt >= silentMs });
  }

  /** Text that is older than all that counts is not read again. */
  async #hasYoungText({ mentions: { thread } }: Watched): Promise<boolean> {
    if (thread === null) return true;
    const before = (await this.#openLedger()).handledBefore(this.#placeOf(thread.url));
    return before === null || Date.parse(thread.createdAt) > Date.parse(before);
  }

  /** Handles what was said in a place before it was read for the first time: it is no task. */
  async #passOver(
    tasks: readonly TaskSummary[],
    { ledger, beganAt }: { readonly ledger: MentionLedger; readonly beganAt: number },
  ): Promise<void> {
    const before = tasks
      .filter(({ url }) => ledger.handledBefore(this.#placeOf(url)) === null)
      .flatMap(({ key }) => this.#find(key)?.mentions.all ?? [])
      .filter(({ createdAt }) => Date.parse(createdAt) > beganAt - skewMs);
    if (before.length > 0) await ledger.handle(before);
  }

  async #claimKnown(
    watched: Watched,
    { ledger, signal }: { readonly ledger: MentionLedger } & CallOptions,
  ): Promise<void> {
    await watched.mentions.readNew({ signal });
    watched.claimed = this.#listOpen(watched, ledger);
  }

  async #end(
    watched: Watched,
    { ledger, state, signal }: { readonly ledger: MentionLedger; readonly state: TaskState } & CallOptions,
  ): Promise<void> {
    const { mentions, name } = watched;
    if (this.#options.runsHear) await mentions.readNew({ signal });
    const endedAt = Date.parse(mentions.endedAt ?? '');
    // A run that completed looks once more at what shares its final comment's second, and gives the thread back for it.
    const isSaidToRun = ({ at }: Mention) =>
      Date.parse(at) < endedAt || (doneStates.has(state) && Date.parse(at) === endedAt);
    const heard = this.#options.runsHear ? this.#listOpen(watched, ledger).filter(isSaidToRun) : [];
    await ledger.handle([...watched.claimed, ...heard]);
    watched.claimed = [];
    await ledger.setThread(name, null);
  }

  #isWaiting(watched: Watched | undefined, ledger: MentionLedger): boolean {
    if (watched === undefined) return false;
    return ledger.threadOf(watched.name)?.state === 'waiting' || this.#listOpen(watched, ledger).length > 0;
  }

  #listOpen({ mentions }: Watched, ledger: MentionLedger): readonly Mention[] {
    const polled = ledger.handledBefore(this.#placeOf(mentions.thread?.url ?? ''));
    const before = polled ?? (this.#options.named ? (mentions.endedAt ?? toIso(0)) : null);
    if (before === null) return [];
    return mentions.all.filter(
      (mention) => Date.parse(mention.createdAt) > Date.parse(before) && !ledger.isHandled(mention),
    );
  }

  #placeOf(url: string): string {
    return findPlace(this.#options.places(), url);
  }

  /** The time up to which nothing is left to read in a place; null while so few threads changed that all may be listed again. */
  #findEnd(tasks: readonly TaskSummary[], waiting: readonly TaskSummary[]): string | null {
    if (tasks.length <= fewThreads) return null;
    const kept = tasks.filter((task) => waiting.includes(task) || this.#find(task.key)?.isSettled !== true);
    const newest = Math.max(...tasks.map(({ updatedAt }) => Date.parse(updatedAt)));
    return toIso(Math.min(newest, ...kept.map(({ updatedAt }) => Date.parse(updatedAt))));
  }

  #findOldestOpen(ledger: MentionLedger): string | null {
    const open = [...this.#watched.values()].flatMap((watched) => this.#listOpen(watched, ledger));
    const times = open.map(({ createdAt }) => Date.parse(createdAt));
    return times.length === 0 ? null : toIso(Math.min(...times));
  }

  /** One that is still listed is kept: it would be read again at each poll. */
  #forgetSettled(ledger: MentionLedger, tasks: readonly TaskSummary[]): void {
    const listed = new Set(tasks.map(({ key }) => formatTaskKey(key)));
    for (const [name, watched] of this.#watched) {
      if (this.#watched.size <= maxWatched) return;
      if (listed.has(name)) continue;
      const isNeeded = !watched.isSettled || watched.claimed.length > 0 || this.#isWaiting(watched, ledger);
      if (!isNeeded) this.#watched.delete(name);
    }
  }
}

const toIso = (milliseconds: number) => new Date(milliseconds).toISOString();

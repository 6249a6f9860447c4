import type { TaskSummary, Thread } from '@agent/platforms';
import type { BoardEvent } from '../board/board-event.ts';
import type { RunRecords } from '../host/open-records.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { RecordedThread } from '../triggers/handover-records.ts';
import {
  type FindThreadOptions,
  findNamedThread,
  hideUserInfo,
  type NamedThread,
} from './find-named-thread.ts';

/** The one thread that a process works on. */
export interface OnlyThread {
  /** Address of its page, `owner/repo#42`, `group/project!42`, or its key. */
  readonly name: string;
  /** Called at the end if nothing was done on the thread. */
  readonly onIdle: (idle: IdleThread) => void;
}

/** A thread on which nothing was done. */
export interface IdleThread {
  /** As it was given, without the user and the password that an address may contain. */
  readonly name: string;
  readonly reason: IdleReason;
  /** Label by which threads are given to the agent; null if they are given in another way. */
  readonly waitingLabel: string | null;
  /** Label on the thread that shows the state of a run; null if it has none. */
  readonly stateLabel: string | null;
  /** Directory of the runs of this process. */
  readonly directory: string;
}

/**
 * Why nothing was done on a thread: it is closed; no one gave it to the agent; a process that only observes already worked on it; its run stays
 * paused until a user acts; everything on this host is paused; or the task was refused, or is held by a run of another directory, and the log
 * shows which.
 */
export type IdleReason = 'closed' | 'not-given' | 'observed' | 'paused' | 'all-paused' | 'refused';

/** The one thread that a process works on: platforms and records are narrowed to it, and what happened to it is noted. */
export class OneThread {
  readonly #name: string;
  #named: NamedThread | null = null;
  /** What the last poll found. */
  #found: 'closed' | 'not-given' | 'observed' | 'waiting' = 'not-given';
  /** Labels of the thread at the last poll. */
  #labels: readonly string[] = [];
  #pausedRuns = 0;
  #isAllPaused = false;
  #hasBegun = false;
  #hasWorked = false;

  /** `name`: as `findNamedThread` reads it. */
  constructor(name: string) {
    this.#name = name;
  }

  readonly observe = (event: BoardEvent): void => {
    if (event.type === 'queue-begin') {
      this.#hasBegun = true;
      this.#hasWorked ||= event.kind !== 'new';
    }
    this.#hasWorked ||= event.type === 'task-begin';
  };

  /**
   * Finds the thread. Returns its platform, which lists this thread and no other.
   *
   * @throws as `findNamedThread`
   */
  readonly open = async (options: FindThreadOptions): Promise<readonly ConfiguredPlatform[]> => {
    this.#named = await findNamedThread(this.#name, options);
    return [this.#narrowPlatform(this.#named)];
  };

  /** The same records, of which only the runs of the thread are listed. */
  readonly narrow = ({ store, reader }: RunRecords): RunRecords => ({
    store: {
      ...store,
      listInterrupted: async () => {
        const { runs, pausing, damaged } = await store.listInterrupted();
        return { damaged, runs: runs.filter(this.#isMeant), pausing: pausing.filter(this.#isMeant) };
      },
      listPaused: async () => {
        const { runs, damaged } = await store.listPaused();
        const meant = runs.filter(this.#isMeant);
        this.#pausedRuns = meant.length;
        return { damaged, runs: meant };
      },
    },
    reader: {
      ...reader,
      listRunning: async (options) => (await reader.listRunning(options)).filter(this.#isMeant),
      readOverview: async (options) => {
        const { running, pausing, paused, recent, ...rest } = await reader.readOverview(options);
        return {
          ...rest,
          running: running.filter(this.#isMeant),
          pausing: pausing.filter(this.#isMeant),
          paused: paused.filter(this.#isMeant),
          recent: recent.filter((run) => this.#isOne(run)),
        };
      },
    },
  });

  /** Notes that nothing is left to do, and whether everything on this host is paused. */
  readonly noteEnd = ({ isAllPaused }: { readonly isAllPaused: boolean }): void => {
    this.#isAllPaused = isAllPaused;
  };

  /** Null if a run worked. */
  get idle(): Omit<IdleThread, 'directory'> | null {
    const reason = this.#idleReason;
    if (reason === null) return null;
    const { waiting = null, ...states } = this.#named?.platform.trigger.signs.labels ?? {};
    const stateLabel = Object.values(states).find((label) => this.#labels.some((one) => isSame(one, label)));
    const name = hideUserInfo(this.#name);
    return { name, reason, waitingLabel: waiting, stateLabel: stateLabel ?? null };
  }

  get #idleReason(): IdleReason | null {
    if (this.#hasWorked) return null;
    if (this.#isAllPaused) return 'all-paused';
    if (this.#hasBegun) return 'refused';
    if (this.#pausedRuns > 0) return 'paused';
    return this.#found === 'waiting' ? 'not-given' : this.#found;
  }

  #narrowPlatform({ platform: configured, key }: NamedThread): ConfiguredPlatform {
    const { platform, trigger, wasObserved = async () => false } = configured;
    const open = () => platform.openThread(key);
    return {
      ...configured,
      platform: {
        ...platform,
        tasks: {
          // Threads that ended are found by it. What changed when does not matter: the thread is read anyway.
          listTasks: async ({ label, assignee, state, signal }) => {
            const thread = await open().reader.readThread({ signal });
            const isListed =
              (state === 'all' || state === thread.state) &&
              (label === null || thread.labels.some((one) => isSame(one, label))) &&
              (assignee === null || thread.assignees.some(({ login }) => isSame(login, assignee)));
            return { tasks: isListed ? [toSummary(thread)] : [], failures: [] };
          },
        },
      },
      trigger: {
        ...trigger,
        listWaiting: async ({ signal } = {}) => {
          const ports = open();
          const thread = await ports.reader.readThread({ signal });
          const isOpen = thread.state === 'open';
          const isGiven = isOpen && (await trigger.claim({ ports, thread }, { signal })) === 'ours';
          this.#labels = thread.labels;
          if (isGiven) this.#found = 'waiting';
          else if (!isOpen) this.#found = 'closed';
          else this.#found = (await wasObserved(key)) ? 'observed' : 'not-given';
          return { tasks: isGiven ? [toSummary(thread)] : [], failures: [] };
        },
      },
    };
  }

  readonly #isMeant = ({ metadata }: { readonly metadata: RecordedThread }): boolean => this.#isOne(metadata);

  #isOne({ host, taskKeyText }: RecordedThread): boolean {
    return (this.#named?.tasks ?? []).some((task) => task.host === host && task.taskKeyText === taskKeyText);
  }
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function toSummary({ key, number, title, labels, author, url, updatedAt }: Thread): TaskSummary {
  return { key, number, title, labels, author, url, updatedAt };
}

import { formatTaskKey, type Platform, PlatformError, type TaskKey } from '@agent/platforms';
import type { StorageNotes } from '@agent/run-store';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { TaskTrigger, WaitingTask } from '../triggers/task-trigger.ts';
import { ObservedRecords } from './observed-record.ts';
import { observeChangeRequests, observeReview } from './observed-requests.ts';
import { observeThread } from './observed-thread.ts';
import type { ObservedThreadOptions, ObservedWrite, ReportWrite } from './observed-write.ts';

/** Surroundings of a process that only observes. */
export interface ObserverOptions {
  /** Keeps what would be on each thread, so that a later process continues with it. */
  readonly notes: Pick<StorageNotes, 'read' | 'write'>;
  readonly report: ReportWrite;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A platform, and how threads there are given to the agent. */
type Observable = Pick<ConfiguredPlatform, 'platform' | 'trigger' | 'wasObserved'>;

/**
 * Lets a process do everything but write: each write to a platform is reported instead, and later reads show it as if it had been made.
 *
 * @example
 * const observer = new Observer({ notes: storage.notes, report: console.log, now: Date.now });
 * const observed = observer.observe({ platform, trigger });
 */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #records: ObservedRecords;
  readonly #pages = new Map<string, string>();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#records = new ObservedRecords(options.notes);
  }

  /** The same platform, on which nothing is written, and whose threads are given to the agent once. */
  readonly observe = <Connected extends Observable>(connected: Connected): Connected => {
    const { trigger } = connected;
    const platform = this.observePlatform(connected.platform);
    const wasObserved = (key: TaskKey) => this.#records.of(nameThread(platform, key)).isBegun();
    return { ...connected, platform, trigger: this.#observeTrigger(platform, trigger), wasObserved };
  };

  /** The same platform, on which nothing is written. */
  readonly observePlatform = (platform: Platform): Platform => {
    const { openReview, repositoryLabels, host } = platform;
    return {
      ...platform,
      repositoryLabels: repositoryLabels && {
        ...repositoryLabels,
        create: async (repository, label) =>
          this.#options.report({
            ...{ host, thread: null, observed: { write: 'repository-label', repository, label } },
          }),
      },
      openReview:
        openReview &&
        ((key, options) => {
          const review = openReview(key, options);
          return review && observeReview(this.#toOptions(platform, key), review);
        }),
      openThread: (key, options) => {
        const ports = platform.openThread(key, options);
        const observed = { ...this.#toOptions(platform, key), ports };
        const { changeRequests } = ports;
        return {
          ...observeThread(observed),
          changeRequests: changeRequests && observeChangeRequests(observed, changeRequests),
        };
      },
    };
  };

  /** Reports a push to a repository of this host that was not made. */
  readonly reportPush = (
    host: string,
    push: Omit<Extract<ObservedWrite, { write: 'push' }>, 'write'>,
  ): void => this.#options.report({ host, thread: null, observed: { write: 'push', ...push } });

  #toOptions(platform: Platform, key: TaskKey): Omit<ObservedThreadOptions, 'ports'> {
    const name = nameThread(platform, key);
    return {
      platform,
      record: this.#records.of(name),
      report: (observed) =>
        this.#options.report({
          host: platform.host,
          thread: this.#pages.get(name) ?? formatTaskKey(key),
          observed,
        }),
      onPage: (url) => void this.#pages.set(name, url),
      now: platform.serverNow ?? this.#options.now,
    };
  }

  /** What the agent would have taken from the list is left out: it is there still. */
  #observeTrigger(platform: Platform, trigger: TaskTrigger): TaskTrigger {
    const waits = async ({ key }: WaitingTask, signal: AbortSignal | undefined): Promise<boolean> => {
      if (!(await this.#records.of(nameThread(platform, key)).isBegun())) return true;
      const ports = platform.openThread(key);
      const thread = await ports.reader.readThread({ signal });
      return (await trigger.claim({ ports, thread }, { signal })) === 'ours';
    };
    return {
      ...trigger,
      listWaiting: async (options = {}) => {
        const { tasks, failures } = await trigger.listWaiting(options);
        const waiting: WaitingTask[] = [];
        for (const task of tasks) if (await waits(task, options.signal)) waiting.push(task);
        return { tasks: waiting, failures };
      },
    };
  }
}

function nameThread({ host }: Platform, key: TaskKey): string {
  return `${host} ${formatTaskKey(key)}`;
}

/**
 * The same fetch, which sends nothing that could change something: no method but GET and HEAD, and no mutation of GraphQL.
 *
 * @throws PlatformError `invalid`: nothing was sent
 */
export function fetchWithoutWrites(send: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    const isQuery = method === 'POST' && pathname.endsWith('/graphql') && asksOnly(init?.body);
    if (method === 'GET' || method === 'HEAD' || isQuery) return send(input, init);
    throw new PlatformError(`This process only observes: ${method} ${pathname} was not sent.`, {
      code: 'invalid',
    });
  };
}

/** A text that is not read for sure is no query. */
function asksOnly(body: unknown): boolean {
  if (typeof body !== 'string') return false;
  try {
    const { query } = JSON.parse(body) as { readonly query?: unknown };
    return typeof query === 'string' && !/\bmutation\b/iu.test(query);
  } catch {
    return false;
  }
}

import type { RunStorage, StorageWatch } from '@agent/run-store';
import type { Locale } from '@agent/text';
import { readServiceState } from '../board/read-service-state.ts';
import type { TaskBoard } from '../board/task-board.ts';
import { openReader } from '../host/open-records.ts';
import type { RunLogger } from '../host/ports.ts';
import type { WaitingEntry } from '../queue/queue-entry.ts';
import { createBudgets, readRunCosts } from '../spending/budgets.ts';
import { createAuditLog } from '../state/audit-log.ts';
import type { ServiceState } from '../state/service-state.ts';
import type { RunEntry } from './board-row.ts';
import { FollowedRuns } from './follow-runs.ts';
import { type BoardView, type ShowOptions, showBoard } from './read-board.ts';
import { type BudgetSources, readBudgets } from './read-budgets.ts';
import { type HealthView, type ProblemView, showNotices, showProblems } from './read-health.ts';
import { type RawLines, readRawLines } from './read-lines.ts';
import { type RunView, showRun, toEntryOf } from './read-run.ts';
import { showThread, type ThreadView } from './read-thread.ts';
import {
  type ActAnswer,
  type ActedRun,
  type ActRequest,
  actOnRun,
  isLastOfThread,
  listControls,
  type OpenThreadWriter,
  tellAct,
} from './run-actions.ts';
import { createRunChanges, type PageChanges } from './run-changes.ts';
import type { RunDigest, TimelinePart } from './run-digest.ts';
import { RunDigests } from './run-digests.ts';
import type { BoardQuery } from './run-projection.ts';
import { watchTexts } from './texts.ts';

/** Sources of what runs look like from outside. */
export interface RunsWatchOptions {
  readonly storage: WatchedStorage;
  readonly board: Pick<TaskBoard, 'state' | 'subscribe'>;
  /** Tasks that wait; null where this process has no queue. */
  readonly queue: WatchedQueue | null;
  readonly about: WatchedProcess;
  /** Default: what the processes reported to the storage. */
  readonly readService?: (() => Promise<ServiceState>) | undefined;
  readonly budgets: Pick<BudgetSources, 'money' | 'requests'>;
  /** Hides what must not leave the process; default of the gate. */
  readonly redact: (text: string) => string;
  /** Default: threads are not told of acts. */
  readonly openWriter?: OpenThreadWriter | undefined;
  readonly clock: WatchClock;
  readonly logger: Pick<RunLogger, 'warn'>;
}

/** Storage, as far as runs are watched in it. */
export type WatchedStorage = Pick<
  RunStorage,
  'watch' | 'openReader' | 'controls' | 'members' | 'notes' | 'pauseSignal' | 'sharing' | 'accounts' | 'lines'
>;

/** Queue, as far as it is shown. */
export interface WatchedQueue {
  readonly waiting: () => Promise<readonly WaitingEntry[]>;
}

/** Facts about the process that shows all this. */
export interface WatchedProcess {
  /** Language of the reasons on the board. */
  readonly locale: Locale;
  /** Name of the model; null where none was chosen. */
  readonly model: () => string | null;
  /** Most steps of a run. Default: unknown. */
  readonly maxSteps?: (() => number) | undefined;
}

/** Time, for whoever follows runs. */
export interface WatchClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Runs as they look from outside. */
export interface RunsWatch {
  readonly reader: RunsReader;
  readonly changes: PageChanges;
  readonly health: HealthReader;
  readonly actions: RunActions;
  /** Reads all runs, those that ended in the background of whatever else is asked: who looks later waits for what has changed alone. */
  readonly load: () => Promise<void>;
}

/** Reads the state of the service, in words of a language. */
export interface HealthReader {
  readonly readHealth: (locale: Locale) => Promise<HealthView>;
  readonly readProblems: (locale: Locale) => Promise<readonly ProblemView[]>;
}

/** Requests an act on a run for a person. */
export interface RunActions {
  readonly act: (request: ActRequest) => Promise<ActAnswer>;
}

/** Reads runs, their board and their threads. A read that fails rejects: it is never an empty view. */
export interface RunsReader {
  readonly readBoard: (query: BoardQuery) => Promise<BoardView>;
  /** Shows a run, and a part of its timeline. Null for an unknown run. */
  readonly readRun: (uuid: string, part: TimelinePart) => Promise<RunView | null>;
  /** Null for a thread that has no run and is not queued. */
  readonly readThread: (key: string) => Promise<ThreadView | null>;
  /** Null for an unknown run. */
  readonly readLines: (
    uuid: string,
    part: { readonly from: number; readonly limit: number },
  ) => Promise<RawLines | null>;
}

/** Characters of one text of a timeline that are shown. */
const textLimit = 4_000;
/** Acts of users that are read for the facts of a run. */
const actsOfRun = 100;
/** Milliseconds for which what was read is fresh enough to be shown again. */
const freshMs = 500;
/** Milliseconds for which the board is shown at once, while what has changed is read behind it. */
const recentMs = 5_000;

/**
 * Creates the read models of runs: nothing is read before it is asked for, and nothing is done while nobody asks or listens.
 *
 * @throws Error for a storage that cannot be watched
 * @see docs/decisions/0076-read-models-of-runs.md
 */
export function createRunsWatch(options: RunsWatchOptions): RunsWatch {
  const {
    storage,
    board,
    queue,
    about,
    budgets,
    redact,
    clock,
    logger,
    readService = () => readServiceState({ storage, now: clock.now() }),
    openWriter = () => null,
  } = options;
  const watch = requireWatch(storage);
  const warn = (err: unknown) => logger.warn({ err }, 'failed to read changed runs; retrying');
  const runs = new FollowedRuns({
    watch,
    listKept: openReader(storage).listKept,
    listWaiting: queue?.waiting ?? null,
    now: clock.now,
  });
  const changes = createRunChanges({
    runs,
    hear: (listener) => board.subscribe(listener),
    onError: warn,
    now: clock.now,
    sleep: clock.sleep,
  });
  const digests = new RunDigests(watch);
  const texts = watchTexts[about.locale];
  const audit = createAuditLog(storage.notes, { logger: { info: () => {} }, now: clock.now });
  const money = budgets.money;
  const currency = money?.currency ?? null;
  const sources = { ...budgets, accounts: storage.accounts, now: clock.now };

  async function beFresh(): Promise<void> {
    if (!changes.isLive() && runs.ageMs >= freshMs) await runs.refresh();
  }

  /** Reads what has changed; behind whoever asks, where what is known is a few seconds old at most. */
  async function beRecent(): Promise<void> {
    if (runs.ageMs >= recentMs) return beFresh();
    void beFresh().catch(warn);
  }

  async function toShow(entries: readonly Pick<RunEntry, 'uuid'>[]): Promise<ShowOptions> {
    const { running } = board.state;
    const service = await readService();
    const uuids = entries.flatMap(({ uuid }) => uuid ?? []);
    const costs = await readRunCosts(storage.accounts, uuids);
    return { texts, redact, locale: about.locale, service, taskOf: (uuid) => running.get(uuid), costs };
  }

  function toActed(digest: RunDigest): ActedRun | null {
    const { opened } = digest.about;
    const uuid = opened?.data.uuid;
    const known = typeof uuid === 'string' ? runs.projection.get(uuid) : null;
    const entry = known ?? toEntryOf(digest.about);
    if (entry === null) return null;
    return { entry, isOpen: digest.isOpen, isLast: isLastOfThread(runs.projection, entry) };
  }

  async function findRun(uuid: string): Promise<{ digest: RunDigest; run: ActedRun } | null> {
    await beFresh();
    const digest = await digests.read(uuid);
    const run = digest && toActed(digest);
    return digest === null || run === null ? null : { digest, run };
  }

  const reader: RunsReader = {
    readBoard: async (query) => {
      await beRecent();
      const page = runs.projection.page(query);
      const [options, read] = await Promise.all([toShow(page.rows), readBudgets(sources)]);
      return showBoard(runs, { query, page }, { ...options, budgets: read, currency });
    },
    readRun: async (uuid, part) => {
      const found = await findRun(uuid);
      if (found === null) return null;
      const { digest, run } = found;
      const controls = listControls(run, { hasMoney: money !== null });
      return showRun(digest, {
        ...(await toShow([run.entry])),
        ...{ entry: run.entry, part, textLimit, currency, controls },
        acts: await audit.list({ limit: actsOfRun, run: uuid, since: digest.about.opened?.at }),
        now: clock.now(),
        maxSteps: about.maxSteps?.() ?? null,
        locale: about.locale,
      });
    },
    readThread: async (key) => {
      await beFresh();
      const entries = runs.projection.listThread(key);
      return showThread(key, { ...(await toShow(entries)), entries, digests, lines: storage.lines });
    },
    readLines: async (uuid, part) => {
      const digest = await digests.read(uuid);
      return digest && readRawLines(digest, { uuid, watch, redact, part });
    },
  };
  return {
    reader,
    changes: { subscribe: changes.subscribe },
    health: {
      readHealth: async (locale) => {
        const service = await readService();
        const { status, processes, conditions } = service;
        return {
          ...{ status, processes, conditions, problems: showProblems(service, locale) },
          notices: showNotices(service, locale),
          budgets: await readBudgets(sources),
          model: about.model(),
          waiting: (await queue?.waiting())?.length ?? 0,
        };
      },
      readProblems: async (locale) => showProblems(await readService(), locale),
    },
    actions: {
      act: async (request) => {
        const run = (await findRun(request.uuid))?.run ?? null;
        const answer = await actOnRun(run, request, {
          controls: storage.controls,
          budgets: createBudgets(storage.notes),
          hasMoney: money !== null,
          texts,
        });
        if (answer.accepted && run !== null)
          void tellAct(run.entry, request, { openWriter, texts, logger, at: clock.now() });
        return answer;
      },
    },
    load: async () => {
      await runs.refresh();
      await runs.load();
    },
  };
}

function requireWatch({ watch }: WatchedStorage): StorageWatch {
  if (watch === undefined)
    throw new Error('This storage does not support watching runs. Use files or PostgreSQL.');
  return watch;
}

import { clearInterval, setInterval } from 'node:timers';
import type { Locale, Logger } from '@agent/text';
import {
  checkOptions,
  type Expectation,
  expected,
  expectNullable,
  expectNumber,
  expectOneOf,
  expectPort,
  show,
} from '@agent/text/options';
import type { SecretValues } from '@agent/text/secrets';
import { toInheritanceSettings } from '../context-inheritance-options.ts';
import { createRedactor } from '../create-sanitizer.ts';
import type { ReadTreeFile } from '../decisions/check-evidence.ts';
import type { KeyDecision } from '../decisions/decision.ts';
import type { CurrentComments } from '../model.ts';
import { createFileMemoryStorage } from './file-memory-storage.ts';
import { createHider, inheritMemory } from './inherit-memory.ts';
import { sha256 } from './memory-input.ts';
import type { EndedRun, OpenRun } from './memory-record.ts';
import { type MemoryParts, MemoryRun } from './memory-run.ts';
import type { MemoryStorage } from './memory-storage.ts';
import { createProcessAccess, type ProcessAccess } from './running-process.ts';
import { crashReason, fileCrashedRuns, readThreadRuns, toTimeAfter } from './thread-runs.ts';

/** Options of `createMemory`: `directory` or `storage`, and how earlier runs are shown. */
export interface MemoryOptions {
  /** Directory for the memory of all threads. It is created at the first run. */
  readonly directory?: string | undefined;
  /** Storage that is used instead of a directory, such as a table of a database. */
  readonly storage?: MemoryStorage | undefined;
  /** Secrets that this process holds. They are removed by value before anything is written, besides all that is written as secrets are. Default none. */
  readonly secrets?: SecretValues | undefined;
  /** Language of `instructions`. Default `en`. */
  readonly locale?: Locale | undefined;
  /** Time zone of times in `instructions`, an IANA name. Default `UTC`. */
  readonly timeZone?: string | undefined;
  /** Size limit of `instructions` in tokens, by an estimate. Default 8,000. */
  readonly maxTokens?: number | undefined;
  /** Default: the system's clock. */
  readonly now?: (() => Date) | undefined;
  /** Default: silent. */
  readonly logger?: Logger | null | undefined;
}

/** State of the thread and the repository when a run begins. What is left out counts as unchanged. */
export interface BeginOptions {
  /** All comments of the thread: SHA-256 of each body by the comment's id. A comment that is missing here counts as deleted. */
  readonly comments?: CurrentComments | null | undefined;
  /** SHA-256 of title and text of the issue. */
  readonly request?: string | null | undefined;
  /** Reads a file of the repository, null if it does not exist: decisions whose files changed are shown as stale. */
  readonly readFile?: ReadTreeFile | null | undefined;
}

/** A run in the history of a thread. */
export interface RememberedRun {
  readonly id: string;
  readonly status: 'running' | 'completed' | 'failed';
  /** Reason of a failed run; null for others. */
  readonly reason: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC; null for a run that has not ended. */
  readonly endedAt: string | null;
  /** Empty if the run gave none. */
  readonly summary: string;
  /** The run's own decisions. */
  readonly decisions: readonly KeyDecision[];
}

/** Memory of an agent by thread. */
export interface Memory {
  /**
   * Begins a run on a thread, which is any text that names it, such as `github.com/acme/shop#42`. Runs whose process crashed are
   * filed as failed first.
   * @throws TypeError for an invalid argument
   * @throws {MemoryError} if the storage could not be read or written
   */
  readonly begin: (thread: string, options?: BeginOptions) => Promise<MemoryRun>;
  /**
   * Lists the runs of a thread, newest first.
   * @throws {MemoryError} if the storage could not be read
   */
  readonly history: (thread: string) => Promise<readonly RememberedRun[]>;
}

const memoryExpectations: Readonly<Record<keyof MemoryOptions, Expectation>> = {
  directory: expected.text,
  storage: expectPort('list', 'write', 'remove'),
  secrets: expected.secrets,
  locale: expectOneOf('en', 'ja'),
  timeZone: expected.timeZone,
  maxTokens: expectNumber(1),
  now: expected.function,
  logger: expected.logger,
};

const beginExpectations: Readonly<Record<keyof BeginOptions, Expectation>> = {
  comments: expectNullable({
    isMet: (value) => value instanceof Map && [...value].flat().every((text) => typeof text === 'string'),
    text: 'a Map from the id of each comment to the SHA-256 of its body',
  }),
  request: expectNullable(sha256),
  readFile: expectNullable(expected.function),
};

/** Access to the system that tests replace. */
export interface SystemAccess {
  readonly processes: ProcessAccess;
  readonly every: MemoryParts['every'];
  readonly mostRuns: number;
  readonly createId: () => string;
}

/**
 * Creates a memory for an agent: a run on a thread inherits summaries and decisions of the runs before it.
 *
 * @example
 * const memory = createMemory({ directory: './agent-memory' });
 * const run = await memory.begin('github.com/acme/shop#42');
 * const { instructions } = run.inherited; // text for the system prompt, '' on a new thread
 * const result = await generateText({ model, system: instructions, messages });
 * await run.finish({ summary: result.text, decisions: [{ text: 'Round once, on the sum', source: { comment: '1025' } }] });
 *
 * @throws TypeError that names an invalid option
 */
export function createMemory(options: MemoryOptions): Memory {
  return openMemory(options);
}

/** `createMemory` with the system as an option, for tests. */
export function openMemory(options: MemoryOptions, system: SystemAccess = useSystem()): Memory {
  checkOptions('MemoryOptions', options, memoryExpectations);
  const {
    directory,
    secrets = [],
    now = () => new Date(),
    logger = null,
    locale = 'en',
    timeZone = 'UTC',
  } = options;
  if ((directory === undefined) === (options.storage === undefined))
    throw new TypeError(
      'MemoryOptions needs either directory or storage, such as { directory: "./agent-memory" }.',
    );
  const storage = options.storage ?? createFileMemoryStorage({ directory: directory ?? '', now });
  const settings = toInheritanceSettings({
    ...{ locale, timeZone, secrets, logger, now },
    summaryPriority: 'merged',
    maxInheritedTokens: options.maxTokens ?? 8_000,
  });
  const { createId, ...access } = system;
  const parts: MemoryParts = { ...access, storage, now, logger, redact: createRedactor(secrets) };
  return {
    begin: async (thread, given = {}) => {
      checkThread(thread);
      checkOptions('BeginOptions', given, beginExpectations);
      const { comments = null, request = null, readFile = null } = given;
      const runs = await readThreadRuns(thread, parts);
      const ended = await fileCrashedRuns(thread, runs, parts);
      const inherited = await inheritMemory(ended, {
        settings,
        present: { comments, request, readFile },
        hide: createHider(secrets),
        unreadable: runs.unreadable,
      });
      const startedAt = toTimeAfter(now(), ended);
      const sources = { comments, request };
      return MemoryRun.begin({ id: createId(), thread, startedAt, inherited, sources, readFile }, parts);
    },
    history: async (thread) => {
      checkThread(thread);
      const { running, crashed, ended } = await readThreadRuns(thread, parts);
      const hide = createHider(secrets);
      return [
        ...running.map((run) => toRemembered(run, { status: 'running' as const, hide })),
        ...crashed.map((run) => toRemembered(run, { status: 'failed' as const, reason: crashReason, hide })),
        ...ended.map((run) => toRemembered(run, { ...run, hide })),
      ];
    },
  };
}

function checkThread(thread: unknown): void {
  if (!expected.text.isMet(thread))
    throw new TypeError(
      `A thread must be ${expected.text.text}, such as "github.com/acme/shop#42"; it is ${show(thread)}.`,
    );
}

interface RememberedState {
  readonly status: RememberedRun['status'];
  readonly reason?: string | null;
  readonly endedAt?: string;
  readonly hide: (text: string) => string;
}

function toRemembered(
  { id, startedAt, summary, decisions }: OpenRun | EndedRun,
  { status, reason = null, endedAt, hide }: RememberedState,
): RememberedRun {
  const own = decisions.filter(({ origin }) => origin === null);
  return {
    ...{ id, status, reason, startedAt, endedAt: endedAt ?? null, summary: hide(summary) },
    decisions: own.map((decision) => ({ ...decision, text: hide(decision.text) })),
  };
}

let known: ProcessAccess | null = null;

function useSystem(createId: () => string = () => crypto.randomUUID()): SystemAccess {
  known ??= createProcessAccess();
  return { processes: known, every: repeat, mostRuns: 100, createId };
}

function repeat(intervalMs: number, task: () => void): () => void {
  const timer = setInterval(task, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

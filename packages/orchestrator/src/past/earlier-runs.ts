import { createHash } from 'node:crypto';
import type {
  ContextInheritanceConfig,
  ContextInheritanceManager,
  CurrentComments,
  DecisionConflict,
  InheritanceRequest,
  InheritedDecision,
  ReadTreeFile,
} from '@agent/context-inheritance';
import type { CommentListing, TaskReference, Thread, ThreadReference } from '@agent/platforms';
import { hashTaskKey, type RunReader, type RunStorage, type TaskIndex } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { SecretValues } from '@agent/text/secrets';
import type { TextWorker } from '@agent/text/worker';
import type { RunLogger } from '../host/ports.ts';
import { createTextCleaner } from '../thread/text-guard.ts';
import { toTextComment } from '../thread/thread-text.ts';
import { parseLineage } from './run-lineage.ts';

export interface EarlierRunsOptions {
  readonly config: ContextInheritanceConfig;
  /** Default `normal`. */
  readonly mode?: InheritanceMode | undefined;
  /** Size of the model's window, in tokens. */
  readonly contextLength: number;
  readonly storage: Pick<RunStorage, 'lines' | 'index'>;
  readonly readRun: RunReader<unknown>['readRun'];
  /** Taken out by value of whatever is inherited. */
  readonly secrets: SecretValues;
  readonly textWorker: TextWorker;
  readonly logLocale: Locale;
  /** IANA name. */
  readonly timeZone: string;
  readonly now: () => number;
}

/** The run before one that begins. */
export interface LastRun {
  readonly uuid: string;
  /** ISO 8601; by the platform's clock where ours was ahead of it. */
  readonly endedAt: string;
  /** ISO 8601: what the index has as the latest end of any run of the thread. */
  readonly latestEnd: string;
  /** Commands that it heard: see `RunLineage`. */
  readonly heard: readonly string[];
}

/** Form of what is inherited: that of a run without or with a plan of its own. @see seed 002 §13.8 */
export type InheritanceMode = 'normal' | 'planning';

/**
 * A thread, and the id of its repository: runs that began in another repository of the same name are none of its earlier
 * ones. Without an id all count.
 */
export interface PlacedThread extends ThreadReference {
  readonly repositoryId?: string | null | undefined;
}

/** Work that earlier runs of a thread left, as a run that begins asks for it. */
export interface EarlierRuns {
  /** `planning`: plans are told in blocks of their own, and one may go on. */
  readonly mode: InheritanceMode;
  /** Zone of the times that threads are told, an IANA name. */
  readonly timeZone: string;
  /** The run of this thread that ended last; null before the first has. Rejects when the index cannot be asked. */
  readonly findLast: (
    thread: PlacedThread,
    options: { readonly endsOnThread: ReadonlyMap<string, string> },
  ) => Promise<LastRun | null>;
  /** Looks them up for one run, in the language of its thread. */
  readonly openManager: (run: {
    readonly locale: Locale;
    readonly logger: RunLogger;
    readonly thread: PlacedThread;
  }) => Promise<ContextInheritanceManager>;
  /** Uuids of those that a new run looks back on, newest first. */
  readonly listInheritable: (thread: PlacedThread) => Promise<readonly string[]>;
}

const dayMs = 86_400_000;
/** A small model needs its window for the task: no more than a quarter of it goes to the past. */
const windowShare = 4;

/** Loads what reads earlier runs only for a thread that has some: most runs are the first of theirs. */
export function createEarlierRuns(options: EarlierRunsOptions): EarlierRuns {
  const { config, contextLength, storage, readRun } = options;
  const { secrets, textWorker, logLocale, timeZone, now, mode = 'normal' } = options;
  /** A directory that is gone says no more of it. */
  const isElsewhere = async (uuid: string, repositoryId: string) => {
    const { metadata } = await readRun(uuid).catch(() => ({ metadata: null }));
    const began = metadata?.extra.repository_id ?? null;
    return began !== null && began !== repositoryId;
  };
  const findIn = async (
    index: Pick<TaskIndex, 'find'>,
    { task, repositoryId = null }: Pick<PlacedThread, 'repositoryId'> & { readonly task: TaskReference },
  ) => {
    const runs = await index.find(task);
    if (repositoryId === null) return runs;
    const elsewhere = await Promise.all(runs.map(({ uuid }) => isElsewhere(uuid, repositoryId)));
    return runs.filter((_, at) => elsewhere[at] === false);
  };
  const find = async ({ taskKeyText, host, repositoryId }: PlacedThread) => {
    const task = { taskKeyHash: hashTaskKey(taskKeyText), host };
    return findIn(await storage.index.open(), { task, repositoryId });
  };
  return {
    mode,
    timeZone,
    findLast: async (thread, { endsOnThread }) => {
      const runs = await find(thread);
      const ended = runs.flatMap(({ uuid, completedAt }) =>
        completedAt === null
          ? []
          : { uuid, completedAt, endedAt: earlier(completedAt, endsOnThread.get(uuid)) },
      );
      const [last] = ended.toSorted((one, other) => Date.parse(other.endedAt) - Date.parse(one.endedAt));
      if (last === undefined) return null;
      const latest = Math.max(...ended.map(({ completedAt }) => Date.parse(completedAt)));
      // A directory that is gone says no more of it.
      const heard = await readRun(last.uuid).then(
        ({ metadata }) => parseLineage(metadata).heard,
        () => [],
      );
      return { uuid: last.uuid, endedAt: last.endedAt, latestEnd: new Date(latest).toISOString(), heard };
    },
    listInheritable: async (thread) => {
      const runs = await find(thread);
      const barriers = runs.flatMap(({ inheritanceBarrierAt: at }) => (at === null ? [] : Date.parse(at)));
      // What lies behind a /fresh-start is never taken over, and needs no summary.
      const latestBarrier = Math.max(Number.NEGATIVE_INFINITY, ...barriers);
      const oldest = now() - config.context_expiry_days * dayMs;
      return runs
        .filter(({ status }) => isInheritable(status, config))
        .filter(({ completedAt }) => {
          const end = completedAt === null ? Number.NaN : Date.parse(completedAt);
          return end >= oldest && end > latestBarrier;
        })
        .map(({ uuid }) => uuid)
        .slice(0, config.max_inheritance_depth);
    },
    openManager: async ({ locale, logger, thread: { repositoryId } }) => {
      const [index, library] = await Promise.all([
        storage.index.open(),
        import('@agent/context-inheritance'),
      ]);
      const reader = library.createPreviousRunReader({
        lines: storage.lines,
        listRuns: (task) => findIn(index, { task, repositoryId }),
      });
      return new library.ContextInheritanceManager(reader, {
        ...library.toContextInheritanceOptions(config),
        maxInheritedTokens: Math.min(config.max_inherited_tokens, Math.floor(contextLength / windowShare)),
        // The index keeps the tasks that were asked for in memory, and hears of each run that ends.
        cacheMs: 0,
        forgetRun: index.remove,
        secrets,
        cleanText: createTextCleaner({ textWorker, logger }),
        locale,
        logLocale,
        timeZone,
        logger,
        now: () => new Date(now()),
      });
    },
  };
}

/** A clock of ours that was ahead, and runs backwards since, must not hide what people said after the end. */
function earlier(one: string, other: string | undefined): string {
  return other !== undefined && Date.parse(other) < Date.parse(one) ? other : one;
}

/** Tells whether a later run could inherit from one that ended like this: then a summary of it is worth its cost. */
export function isInheritable(
  status: string,
  { enabled, include_failed_contexts: includesFailed }: ContextInheritanceConfig,
): boolean {
  if (!enabled) return false;
  return status === 'completed' || status === 'stopped' || (status === 'failed' && includesFailed);
}

/** Inherited context of a run, ready for its prompt and its thread. */
export interface Inherited {
  readonly fromUuid: string;
  /** Uuids of all runs that it comes from, newest first. */
  readonly uuids: readonly string[];
  readonly depth: number;
  /** For the end of the instructions. @see seed 002 §4.3.1, §13.8 */
  readonly block: string;
  readonly tokens: number;
  readonly decisions: readonly InheritedDecision[];
  readonly conflicts: readonly DecisionConflict[];
  /** Notice for the thread. @see seed 002 §6.2 */
  readonly notice: string;
  /** The run that was stopped and whose plan may go on; null for none. @see seed 002 §13.3 */
  readonly planOf: string | null;
}

/**
 * Looks up what a run can take over, without the decisions whose comments have changed since. Null when there is
 * nothing, or no room for it.
 */
export async function inheritContext(
  manager: ContextInheritanceManager,
  {
    thread,
    present,
    locale,
    timeZone,
    mode,
    request = null,
    readFile = null,
  }: {
    readonly thread: ThreadReference;
    readonly present: ThreadNow;
    readonly locale: Locale;
    /** IANA name. */
    readonly timeZone: string;
    readonly mode: InheritanceMode;
    /** Fingerprint of the request. Default null: no plan goes on. */
    readonly request?: string | null;
    /** Reads the tree that the run works on. Default null: no decision counts as stale. */
    readonly readFile?: ReadTreeFile | null;
  },
): Promise<Inherited | null> {
  const context = await manager.getInheritanceContext(thread, { ...hashThread(present), readFile });
  if (context === null) return null;
  const { system, planning, kinds, tokens } = manager.createInheritedPrompts(context, { mode });
  if (system === null) return null;
  const block = planning === null ? system : `${system}\n\n${planning}`;
  const planOf = mode === 'planning' ? manager.findContinuable(context, { request }) : null;
  const { formatInheritanceNotice } = await import('@agent/context-inheritance');
  const { inheritedFromUuid: fromUuid, inheritanceDepth: depth } = context;
  const notice = formatInheritanceNotice(context, { kinds, locale, timeZone });
  const uuids = context.previousContexts.map(({ uuid }) => uuid);
  const { keyDecisions: decisions, conflicts } = context;
  return { fromUuid, uuids, depth, block, tokens, decisions, conflicts, notice, planOf };
}

/** A thread as it is now, as far as decisions are based on it. */
export interface ThreadNow {
  readonly listing: Pick<CommentListing, 'comments' | 'complete'>;
  /** Null where the thread is not the one on which the decisions were made: then its text says nothing about them. */
  readonly issue: Thread | null;
}

/** Hashes of the texts that decisions are based on. */
export function hashThread({ listing, issue }: ThreadNow): Pick<InheritanceRequest, 'comments' | 'request'> {
  const text = issue === null ? null : toTextComment(issue).body;
  return {
    comments: hashComments(listing),
    request: text === null ? null : hashText(text),
  };
}

/**
 * The comments that decisions rest on: SHA-256 of each body, as the platform gives it, by the comment's id. Null for a
 * listing that is not whole, because what is missing in it would count as deleted.
 */
export function hashComments({
  comments,
  complete,
}: Pick<CommentListing, 'comments' | 'complete'>): CurrentComments | null {
  if (!complete) return null;
  return new Map(comments.map(({ id, body }) => [id, hashText(body)]));
}

/** Fingerprint of a request: SHA-256 of its title and its text, as they stand on the platform. @see decision C14 */
export function hashRequest({ title, body }: Pick<Thread, 'title' | 'body'>): string {
  return hashText(JSON.stringify([title, body]));
}

/** SHA-256 of a text, in hexadecimal. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

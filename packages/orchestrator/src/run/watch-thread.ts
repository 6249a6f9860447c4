import {
  type Account,
  type CallOptions,
  isSameAccount,
  PlatformError,
  type PlatformThread,
  type RepositoryDescription,
  type Thread,
  type ThreadReader,
} from '@agent/platforms';
import type { RunSignals } from '@agent/runner';
import { z } from 'zod';
import type { TaskSigns } from '../triggers/task-trigger.ts';
import type { ChangeRequestKind } from './run-facts.ts';

/** Act on a thread that stops its run. Anyone who can do it can stop a run, because stopping is safe. */
export const stopCauseSchema = z.enum(['unassigned', 'unlabeled', 'closed', 'deleted']);
export type StopCause = z.infer<typeof stopCauseSchema>;

/** Says what stopped a run, by what it worked on. */
export type StopSentences = Readonly<Record<StopCause, (kind: 'issue' | ChangeRequestKind) => string>>;

/** Facts of a stopped run. */
export interface StopFacts {
  /** Sentence about what stopped the run on its thread; null if it received a stop command. */
  readonly stopCause: string | null;
  /** Name of the user who stopped the run, as a code span; null if unknown. */
  readonly stoppedBy: string | null;
  /** With its time zone. */
  readonly stoppedAt: string;
  readonly modelCalls: number;
  /** Lines about its plan; empty without a plan. */
  readonly plan: readonly string[];
  /** Instruction how to restart the task. */
  readonly beginAgain: string;
}

export interface ThreadWatchSources {
  readonly reader: Pick<ThreadReader, 'readThread'>;
  /** Asks for the repository of the thread: one that answers proves that a thread which is not found was deleted. */
  readonly describe: ((call: CallOptions) => Promise<Pick<RepositoryDescription, 'hidesThreads'>>) | null;
  readonly signs: Pick<TaskSigns, 'showsWork'>;
  /** True once the run has set the label of a running task. */
  readonly hasShownWork: () => Promise<boolean>;
  /** True where we were assigned when the run began. */
  readonly assigned: boolean;
  /** False for a run that a user resumed: it works on a closed thread, too, until it is closed again. */
  readonly startsOpen: () => Promise<boolean>;
  /** True where the thread is known to have shown the sign of the run. Default: it is not known. */
  readonly startsShown?: (() => Promise<boolean>) | undefined;
  /** True while the run follows its change request: a merge closes the issue, and the follow-up ends the run. */
  readonly follows: () => Promise<boolean>;
  /** Asks who we are. */
  readonly ownAccount: () => Promise<Account>;
}

export interface ThreadWatch extends RunSignals {
  /** Act that stopped the run; null while there was none. */
  readonly cause: () => StopCause | null;
  /** Checks before another attempt, which the label that an earlier one has set can stop. Without such a label it makes no request. */
  readonly checkAgain: RunSignals['read'];
}

/**
 * Watches what users do to the thread of a run. Only what this run has seen otherwise before counts: a run that began by its label was
 * never assigned (X13), and none shows the label of a running task before it set it itself. Within a run the daemon changes none of it. A reading that
 * is older than an earlier one is ignored: it may show what was there before our own changes. What cannot be asked is no change.
 */
export function watchThread(sources: ThreadWatchSources): ThreadWatch {
  let newest = Number.NEGATIVE_INFINITY;
  let cause: StopCause | null = null;
  const seen = { assigned: sources.assigned, open: false, work: false };
  let isStarted = false;
  const compare = (
    thread: Thread,
    { own, follows }: { readonly own: Account; readonly follows: boolean },
  ): StopCause | null => {
    const now = {
      assigned: thread.assignees.some((account) => isSameAccount(account, own)),
      open: thread.state === 'open',
      // A run that could not be paused continues under the label of paused runs.
      work: sources.signs.showsWork?.(thread, ['processing', 'paused']) ?? false,
    };
    const gone = (name: keyof typeof now) => seen[name] && !now[name];
    const found =
      gone('open') && !follows
        ? 'closed'
        : gone('assigned')
          ? 'unassigned'
          : gone('work')
            ? 'unlabeled'
            : null;
    seen.assigned ||= now.assigned;
    seen.open ||= now.open;
    seen.work ||= now.work;
    return found;
  };
  const read: RunSignals['read'] = async ({ signal }) => {
    if (!isStarted) {
      seen.open = await sources.startsOpen();
      seen.work ||= (await sources.startsShown?.()) ?? false;
    }
    isStarted = true;
    const thread = await readOrNull(sources, { signal });
    const own = await sources.ownAccount();
    if (thread === null) {
      cause = 'deleted';
    } else if (Date.parse(thread.updatedAt) >= newest) {
      newest = Date.parse(thread.updatedAt);
      cause = compare(thread, { own, follows: await sources.follows() });
    }
    return cause === null ? 'none' : 'stop';
  };
  return {
    cause: () => cause,
    read,
    checkAgain: async (call) => {
      if (!(await sources.hasShownWork())) return 'none';
      seen.work = true;
      return read(call);
    },
  };
}

/** The thread of a run was deleted: the run ends as stopped. */
export class ThreadDeletedError extends Error {
  constructor() {
    super('The issue or pull request was deleted.');
    this.name = 'ThreadDeletedError';
  }
}

/** A thread is not found, and it need not have been deleted: the run waits. */
export class ThreadHiddenError extends PlatformError {
  constructor(cause: unknown) {
    super(
      "The issue or pull request is not visible to the agent. It was deleted, or the agent's account lost its access to the project. Give the account at least the role that it had.",
      { code: 'forbidden', cause },
    );
  }
}

const isMissing = (error: unknown): boolean => PlatformError.isInstance(error) && error.code === 'not-found';

/**
 * Null for a thread that was deleted: it is not found twice, as one answer may come from a server that lags behind. Rejects where nothing
 * proves that: a permission may have been lost.
 */
async function readOrNull(
  { reader, describe }: Pick<ThreadWatchSources, 'reader' | 'describe'>,
  call: CallOptions,
): Promise<Thread | null> {
  try {
    return await reader.readThread(call);
  } catch (error) {
    if (!isMissing(error) || describe === null) throw error;
    const { hidesThreads = false } = await describe(call);
    if (hidesThreads) throw new ThreadHiddenError(error);
    return reader.readThread(call).catch((again: unknown) => {
      if (isMissing(again)) return null;
      throw again;
    });
  }
}

/**
 * Tells whether a thread was deleted: it is not there, and its repository is. False where that cannot be asked.
 *
 * @throws ThreadHiddenError
 */
export async function isDeleted(
  { reader, repository }: Pick<PlatformThread, 'reader' | 'repository'>,
  call: CallOptions = {},
): Promise<boolean> {
  const describe = repository?.describe ?? null;
  return readOrNull({ reader, describe }, call).then(
    (thread) => thread === null,
    (error: unknown) => {
      if (error instanceof ThreadHiddenError) throw error;
      return false;
    },
  );
}

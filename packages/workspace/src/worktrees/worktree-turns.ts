import { availableParallelism } from 'node:os';
import type { CallOptions } from '@agent/platforms';
import { createKeyedTurns } from '@agent/text/waiting';
import PQueue from 'p-queue';
import type { GitPlace } from '../git/git-environment.ts';
import type { GitContext } from '../git/git-repository.ts';
import { fetchMirror, type RemoteRepository, removeStaleLocks } from '../git/mirror.ts';
import type { TaskPlace } from '../git/task-place.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import type { OpenedWorktree } from './work-keeper.ts';
import { ensureWorktree, type KeptWorks, removeWorktree } from './worktree.ts';

interface TurnOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly mirror: GitPlace;
}

/** Joining packs is worth a process now and then, the first time for what earlier processes left. */
const removalsPerTidying = 50;

/** Turns that the tasks of one process take at a repository's copy. */
interface WorktreeTurns {
  /** Brings the copy up to date, with all that wait for the same: the server is asked after this was called. */
  readonly fetchRemote: (
    context: GitContext,
    options: Omit<TurnOptions, 'task'> & { readonly task: RemoteRepository },
  ) => Promise<void>;
  /** Fetches, then makes the worktree, restores it or puts it in order. */
  readonly open: (
    context: GitContext,
    options: TurnOptions & KeptWorks & { readonly place: TaskPlace },
  ) => Promise<OpenedWorktree>;
  readonly remove: (
    context: GitContext,
    options: TurnOptions & { readonly place: TaskPlace },
  ) => Promise<void>;
}

/**
 * Fetching and removing have a copy to themselves, making a worktree has its place and its branch. Worktrees are made
 * side by side, as many as there are processors: each is a few short git processes, and then files being written.
 */
export function createWorktreeTurns(): WorktreeTurns {
  const lock = createKeyedTurns();
  const share = createSharedWork<void>();
  const slots = new PQueue({ concurrency: availableParallelism() });
  const opening: string[] = [];
  const cleared = new Set<string>();
  const removed = new Map<string, number>();

  const fetchRemote: WorktreeTurns['fetchRemote'] = (context, { task, mirror, signal }) =>
    share(`${mirror.commonDirectory}\n${task.cloneUrl}`, {
      signal,
      takeTurn: (begin) => lock(mirror.commonDirectory, begin),
      work: async (sharedSignal) => {
        if (!cleared.has(mirror.commonDirectory)) await removeStaleLocks(mirror);
        cleared.add(mirror.commonDirectory);
        await fetchMirror(context, { task, mirror, signal: sharedSignal });
      },
    });

  const lockTask = <T>(
    { mirror, place }: { mirror: GitPlace; place: TaskPlace },
    work: () => Promise<T>,
  ): Promise<T> => lock(place.workTree, () => lock(`${mirror.commonDirectory}\n${place.branch}`, work));

  return {
    fetchRemote,
    open: async (context, options) => {
      const { mirror, signal } = options;
      opening.push(mirror.commonDirectory);
      try {
        return await lockTask(options, async () => {
          await fetchRemote(context, options);
          const make = () => ensureWorktree(context, options);
          return slots.add(make, signal === undefined ? {} : { signal });
        });
      } finally {
        opening.splice(opening.indexOf(mirror.commonDirectory), 1);
      }
    },
    remove: (context, options) => {
      const { commonDirectory } = options.mirror;
      const count = (removed.get(commonDirectory) ?? 0) + 1;
      removed.set(commonDirectory, count);
      const remove = () =>
        // A worktree in the making may begin at a commit that no ref of the copy leads to any more.
        removeWorktree(context, {
          ...options,
          tidy: count % removalsPerTidying === 1 && !opening.includes(commonDirectory),
        });
      return lockTask(options, () => lock(commonDirectory, remove));
    },
  };
}

/** Work that may be shared, and its turn. */
interface SharedWorkOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** Calls its argument when it is this key's turn, later than at once. */
  readonly takeTurn: (begin: () => Promise<T>) => Promise<T>;
  /** Its signal is aborted when nobody waits for it any more. */
  readonly work: (signal: AbortSignal) => Promise<T>;
}

/** Does work once for all who ask for it under the same key before it begins; who asks later gets work of their own. */
type SharedWork<T> = (key: string, options: SharedWorkOptions<T>) => Promise<T>;

interface Batch<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * So that the result is never older than the question: nobody joins work that has begun. Whoever stops waiting goes
 * at once, but for the last one of work that has begun: it is ended first.
 */
export function createSharedWork<T>(): SharedWork<T> {
  const toCome = new Map<string, Batch<T>>();

  function announce(key: string, { takeTurn, work }: SharedWorkOptions<T>): Batch<T> {
    const controller = new AbortController();
    const result = takeTurn(() => {
      if (toCome.get(key) === batch) toCome.delete(key);
      return work(controller.signal);
    });
    const batch: Batch<T> = { result, controller, waiting: 0 };
    toCome.set(key, batch);
    return batch;
  }

  return (key, options) => {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const batch = toCome.get(key) ?? announce(key, options);
    batch.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const hasBegun = toCome.get(key) !== batch;
        batch.waiting -= 1;
        if (batch.waiting === 0) {
          if (!hasBegun) toCome.delete(key);
          batch.controller.abort(signal?.reason);
        }
        if (batch.waiting > 0 || !hasBegun) reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      batch.result.finally(() => signal?.removeEventListener('abort', leave)).then(resolve, reject);
    });
  };
}

import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import type { GitPlace } from './git-environment.ts';
import type { CallOptions, GitContext } from './git-repository.ts';
import { createKeyedLock } from './keyed-lock.ts';
import { fetchMirror, removeStaleLocks } from './mirror.ts';
import { createSharedWork } from './shared-work.ts';
import type { WorkspaceTask } from './workspace-task.ts';
import { ensureWorktree, removeWorktree, type TaskPlace } from './worktree.ts';

export interface TurnOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly mirror: GitPlace;
}

/** Joining packs is worth a process now and then, the first time for what earlier processes left. */
const removalsPerTidying = 50;

/** Whose turn it is at a repository's copy, among the tasks of one process. */
export interface WorktreeTurns {
  /** Brings the copy up to date, with all that wait for the same: the server is asked after this was called. */
  readonly fetchRemote: (context: GitContext, options: TurnOptions) => Promise<void>;
  /** Fetches, then makes the worktree or puts it in order. */
  readonly open: (
    context: GitContext,
    options: TurnOptions & { readonly place: TaskPlace },
  ) => Promise<'created' | 'reused'>;
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
  const lock = createKeyedLock();
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

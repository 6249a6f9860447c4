import type { CallOptions } from '@agent/platforms';
import { toCodeBlock } from '@agent/text';
import type { FindPushedSecrets } from '@agent/text/outgoing';
import { type GitContext, git, updateRefs } from '../git/git-repository.ts';
import { gitSigning } from '../git/git-signing.ts';
import type { TaskPlace } from '../git/task-place.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import { removeTree } from '../machine/directories.ts';
import { findRefusedSecrets, type SecretPlace, takeBackCommits } from './find-secrets.ts';
import {
  type Allowance,
  type HeldChange,
  judgePush,
  type PathProtection,
  readHeldPatch,
  writeRestTree,
} from './judge-push.ts';
import { listTipChanges, type RawChange, readUnpushed } from './read-changes.ts';

/** A patch, as a comment can show it. */
export interface ShownPatch extends Pick<HeldChange, 'id' | 'patch'> {
  /** True if the filter of what is written on platforms would change it: then readers do not see it as it is. */
  readonly isAltered: boolean;
}

/** Changes of a push that are not simply sent. */
export interface OutgoingWork {
  /** Changes of protected paths. */
  readonly held: readonly (HeldChange & ShownPatch)[];
  /** Possible secrets; their files are held. */
  readonly secrets: readonly SecretPlace[];
  /** All other changes as one; null for none. */
  readonly rest: (ShownPatch & { readonly paths: readonly string[] }) | null;
  /** Paths that are pushed and named in the report. */
  readonly drafts: readonly string[];
  /** True if an earlier local commit contains what must not be pushed, and the last one does not. */
  readonly isBuried: boolean;
}

/** Changes of a task on their way to the server. Every function rejects with `WorkspaceError`. */
export interface OutgoingChanges {
  /** Reads what a push would send. Call it after `commitAll`. Null if there is nothing to send. */
  readonly inspect: (
    options: { readonly allowance: Allowance } & CallOptions,
  ) => Promise<OutgoingWork | null>;
  /**
   * Rebuilds the local branch: one commit on top of the server's branch without these paths, or none if nothing else changed. The
   * worktree keeps all files.
   */
  readonly leaveOut: (
    options: {
      readonly paths: readonly string[];
      readonly toMessage: (changedFiles: readonly string[]) => string;
    } & CallOptions,
  ) => Promise<void>;
  /** Does something while the worktree has these paths as the server has them. The files are restored, also after a crash. */
  readonly without: <Result>(
    paths: readonly string[],
    work: () => Promise<Result>,
    options?: CallOptions,
  ) => Promise<Result>;
}

export interface OutgoingChangesOptions {
  readonly task: WorkspaceTask;
  readonly place: TaskPlace;
  readonly readProtection: (options?: CallOptions) => Promise<PathProtection>;
  readonly findSecrets: FindPushedSecrets;
  /** Writes Markdown as it leaves. */
  readonly cleanText: (text: string) => Promise<string>;
  readonly cleanMessage: (text: string) => Promise<string>;
}

/** Creates it. */
export function createOutgoingChanges(context: GitContext, options: OutgoingChangesOptions): OutgoingChanges {
  const { place, task, findSecrets } = options;
  return {
    inspect: async ({ allowance, signal }) => {
      const protection = await options.readProtection({ signal });
      const judged = await judgePush(context, { place, protection, allowance, signal });
      if (judged === null) return null;
      const found = await findRefusedSecrets(context, { task, place, findSecrets, allowance, signal });
      const changed = new Set(judged.changes.map(({ path }) => path));
      const secrets = found.filter(({ path }) => changed.has(path));
      const paths = new Set([...judged.held, ...secrets].map(({ path }) => path));
      const leftOut = listLeftOut(judged.changes, paths);
      const rest = judged.changes.filter((change) => !leftOut.includes(change)).map(({ path }) => path);
      const isWhole = rest.length === 0 || leftOut.length === 0;
      const show = <Change extends Pick<HeldChange, 'patch'>>(change: Change) =>
        toShown(change, options.cleanText);
      const { range, drafts } = judged;
      return {
        held: await Promise.all(judged.held.map(show)),
        rest: isWhole
          ? null
          : await show({
              paths: rest,
              ...(await readHeldPatch(context, { place, signal }, { range, paths: rest })),
            }),
        ...{ secrets, drafts },
        isBuried: judged.buried.length > 0 || secrets.length < found.length,
      };
    },
    leaveOut: async ({ paths, toMessage, signal }) => {
      const range = await readUnpushed(context, { place, signal });
      if (range === null) return;
      const changes = await listTipChanges(context, { place, signal }, range);
      const leftOut = listLeftOut(changes, new Set(paths));
      const tree = await writeRestTree(context, { place, range, leftOut, signal });
      const isEmpty = leftOut.length === changes.length && range.merged.length === 0;
      if (isEmpty) return takeBackCommits(context, { place, signal });
      const kept = changes.filter((change) => !leftOut.includes(change)).map(({ path }) => path);
      const parents = [range.base, ...range.merged].flatMap((parent) => ['-p', parent]);
      const { stdout } = await gitSigning(context, place, {
        args: ['commit-tree', tree, ...parents, '-F', '-'],
        input: await options.cleanMessage(toMessage(kept)),
        doing: 'Committing without held changes',
        signal,
      });
      const branch = { ref: `refs/heads/${place.branch}`, sha: stdout.trim() };
      await updateRefs(context, place, { refs: [branch], signal });
    },
    without: async (paths, work, { signal } = {}) => {
      const range = await readUnpushed(context, { place, signal });
      if (range === null || paths.length === 0) return work();
      const changes = await listTipChanges(context, { place, signal }, range);
      const leftOut = listLeftOut(changes, new Set(paths));
      const rest = await writeRestTree(context, { place, range, leftOut, signal });
      const untracked = new Set(await listUntracked(context, options, { signal }));
      await updateRefs(context, place, { refs: [{ ref: wholeRef(task), sha: range.tip }], signal });
      try {
        await git(context, place, {
          args: ['read-tree', '-m', '-u', range.tip, rest],
          doing: 'Taking held changes out of the worktree',
          signal,
        });
        return await work();
      } finally {
        await restoreWhole(context, { task, place });
        for (const path of await listUntracked(context, options, {}))
          if (!untracked.has(path)) await removeTree(`${place.workTree}/${path}`);
      }
    },
  };
}

async function toShown<Change extends Pick<HeldChange, 'patch'>>(
  change: Change,
  cleanText: OutgoingChangesOptions['cleanText'],
): Promise<Change & { readonly isAltered: boolean }> {
  const { patch } = change;
  if (patch === null) return { ...change, isAltered: false };
  const block = toCodeBlock(patch.replaceAll('\r\n', '\n'), 'diff');
  return { ...change, isAltered: (await cleanText(block)).trimEnd() !== block.trimEnd() };
}

/** Holds the commit with all files while some of them are out of the worktree. */
export function wholeRef({ uuid }: Pick<WorkspaceTask, 'uuid'>): string {
  return `refs/whole/${uuid}`;
}

/** Brings back the files that `without` took out of a worktree, where a process crashed meanwhile. */
export async function restoreWhole(
  context: GitContext,
  { task, place, signal }: Pick<OutgoingChangesOptions, 'task' | 'place'> & CallOptions,
): Promise<void> {
  const ref = wholeRef(task);
  const doing = 'Restoring held changes';
  const read = await git(context, place, {
    args: ['rev-parse', '--verify', '--quiet', ref],
    doing,
    anyExit: true,
    signal,
  });
  const sha = read.stdout.trim();
  if (sha === '') return;
  await git(context, place, { args: ['read-tree', '--reset', '-u', sha], doing, signal });
  await updateRefs(context, place, { refs: [{ ref, sha: null }], signal });
}

/** A file and a directory of one name cannot both be there: what is below or above a left-out path stays out as well. */
function listLeftOut(changes: readonly RawChange[], paths: ReadonlySet<string>): readonly RawChange[] {
  const isIn = (path: string) =>
    paths.has(path) || [...paths].some((one) => path.startsWith(`${one}/`) || one.startsWith(`${path}/`));
  return changes.filter(({ path }) => isIn(path));
}

async function listUntracked(
  context: GitContext,
  { place }: OutgoingChangesOptions,
  { signal }: CallOptions,
): Promise<readonly string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z'];
  const { stdout } = await git(context, place, { args, doing: 'Listing new files', signal });
  return stdout.split('\0').filter((path) => path !== '');
}

import type { CallOptions } from '@agent/platforms';
import type { CheckedOutSubmodules } from '../contents/check-out-submodules.ts';
import type { FetchedLfsFiles } from '../contents/fetch-lfs-files.ts';
import type { SubmoduleRules } from '../contents/submodule-address.ts';
import type { ChangedFile, ChangesSince, DiffStat } from '../git/read-branch.ts';
import type { Allowance } from '../outgoing/judge-push.ts';
import type { OutgoingChanges } from '../outgoing/outgoing-changes.ts';
import type { BaseMerging } from './merge-branch.ts';
import type { KeepWork, MovedWork, OpenedWorktree } from './work-keeper.ts';

/** One task's worktree. Every function rejects with `WorkspaceError`. */
export interface TaskWorkspace {
  /** Absolute, without links. */
  readonly path: string;
  readonly branch: string;
  readonly baseBranch: string;
  /** `reused` when an earlier process had opened it already; `restored` from what was kept of one on another machine. */
  readonly state: OpenedWorktree['state'];
  /** Directories that a sandbox must keep from being written to, so that git can be trusted. */
  readonly gitDirectories: readonly string[];
  /** Private directory outside the worktree, for the homes of commands. */
  readonly homesDirectory: string;
  /** Files as they are on the base branch, in the order of the paths; null for what is not there. */
  readonly readBaseFiles: (
    paths: readonly string[],
    options?: CallOptions,
  ) => Promise<readonly (string | null)[]>;
  /** Commits everything, under a message made of the paths that it changes, and keeps it; null when nothing changed. */
  readonly commitAll: (
    toMessage: (changedFiles: readonly string[]) => string,
    options?: CallOptions,
  ) => Promise<{ readonly sha: string } | null>;
  /** Gives the SHA of the branch's last commit. */
  readonly tip: (options?: CallOptions) => Promise<string>;
  /** Tells whether the branch has commits that the base branch (default) or the start of this run lacks. */
  readonly hasCommits: (options?: ChangesQuery) => Promise<boolean>;
  /**
   * Brings the branch to the server, at the address that the repository has now. Repeating it is safe. Rejects with
   * `SecretsInChanges` when there are any, with `ChangesHeld` when a person must allow changes to protected paths, and with
   * `branch-forbidden` for a branch of that list.
   */
  readonly push: (options?: PushOptions) => Promise<{ readonly sha: string }>;
  readonly diffStat: (options?: ChangesQuery) => Promise<DiffStat>;
  readonly changedFiles: (options?: ChangesQuery) => Promise<readonly ChangedFile[]>;
  /** Reads what this run has changed by now, committed or not, as a unified diff; null for nothing. */
  readonly readPatch: (options?: CallOptions) => Promise<string | null>;
}

/** Parts of a repository that are not in git's own objects. Every function rejects with `WorkspaceError`. */
export interface WorktreeContents {
  /** Checks out the submodules that the base branch names; what cannot be had is said, and nothing more. */
  readonly checkOutSubmodules: (
    rules: SubmoduleRules,
    options?: CallOptions,
  ) => Promise<CheckedOutSubmodules>;
  /** Writes what LFS keeps in the places of its pointers; what cannot be had is said, and nothing more. */
  readonly fetchLfsFiles: (
    rules: { readonly maxBytes: number },
    options?: CallOptions,
  ) => Promise<FetchedLfsFiles>;
}

/** A worktree, with what moves between machines and branches. */
export interface OpenedWorkspace extends TaskWorkspace {
  /** Changes that must not simply be pushed. */
  readonly outgoing: OutgoingChanges;
  readonly merging: BaseMerging;
  readonly contents: WorktreeContents;
  /** Tells, as long as this worktree is used, which work on other machines is not here; null where none was done there. */
  readonly moved: (MovedWork & { /** Names it among all. */ readonly worktree: string }) | null;
  /** Keeps the work as it is now for other machines; null where it was opened without `snapshots`. */
  readonly keep: KeepWork | null;
}

export interface PushOptions extends CallOptions {
  /** Present address of the repository. Default: the one with which the workspace was opened. */
  readonly cloneUrl?: string | undefined;
  /** Changes of protected paths and values like secrets that people have allowed. Default none. */
  readonly allowance?: Allowance | undefined;
  /** Branches that must not be pushed to: the default branch, protected ones, bases of open requests. Default none. */
  readonly forbidden?: readonly string[] | undefined;
}

export interface ChangesQuery extends CallOptions {
  /** Default `base`. */
  readonly since?: ChangesSince | undefined;
}

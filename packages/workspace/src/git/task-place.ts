import { join } from 'node:path';
import type { GitPlace } from './git-environment.ts';
import type { WorkspaceTask } from './workspace-task.ts';

/** Directories that git works in for one task. */
export interface TaskPlace extends GitPlace {
  readonly workTree: string;
  readonly branch: string;
}

/** Names a task's worktree, and its own directory inside the mirror. */
export function worktreePlace(
  directory: string,
  options: { readonly task: WorkspaceTask; readonly mirror: GitPlace },
): TaskPlace {
  const { task, mirror } = options;
  return {
    commonDirectory: mirror.commonDirectory,
    gitDirectory: join(mirror.commonDirectory, 'worktrees', task.uuid),
    workTree: join(directory, 'worktrees', task.uuid),
    branch: task.branch,
  };
}

/** A repository of its own for the snapshots of a worktree: neither its index nor its branches are touched by them. */
export function snapshotPlace(place: TaskPlace): GitPlace & { readonly workTree: string } {
  const directory = join(place.gitDirectory, 'snapshots');
  return {
    commonDirectory: directory,
    gitDirectory: directory,
    workTree: place.workTree,
    branch: null,
    snapshotsOf: place.commonDirectory,
  };
}

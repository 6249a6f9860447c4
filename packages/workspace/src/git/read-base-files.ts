import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git } from './git-repository.ts';
import { remoteRef } from './mirror.ts';
import type { WorkspaceTask } from './workspace-task.ts';

/**
 * Reads files as they are on the base branch, whatever the task's own branch says: one git process to look for all of them,
 * and one for each that is there. Links are followed inside the repository. In the order of the paths; null for what is
 * not there or is no file.
 */
export async function readBaseFiles(
  context: GitContext,
  options: {
    readonly task: WorkspaceTask;
    readonly place: GitPlace;
    readonly paths: readonly string[];
  } & CallOptions,
): Promise<readonly (string | null)[]> {
  const { task, place, paths, signal } = options;
  const doing = `Reading files of ${task.baseBranch}`;
  const { stdout } = await git(context, place, {
    args: ['cat-file', '--batch-check', '--follow-symlinks'],
    input: paths.map((path) => `${remoteRef(task.baseBranch)}:${path}\n`).join(''),
    doing,
    signal,
  });
  const texts = new Map<string, string>();
  const blobs = listBlobs(stdout, paths.length);
  for (const blob of new Set(blobs)) {
    if (blob === null) continue;
    texts.set(blob, (await git(context, place, { args: ['cat-file', 'blob', blob], doing, signal })).stdout);
  }
  return blobs.map((blob) => (blob === null ? null : (texts.get(blob) ?? null)));
}

/** A line for each path; where a link leads nowhere, a second one with its name follows. */
function listBlobs(output: string, count: number): readonly (string | null)[] {
  const lines = output.split('\n');
  return Array.from({ length: count }, () => {
    const line = lines.shift() ?? '';
    if (/^(?:dangling|loop|notdir|symlink) \d+$/.test(line)) lines.shift();
    return /^([0-9a-f]{40,64}) blob \d+$/.exec(line)?.[1] ?? null;
  });
}

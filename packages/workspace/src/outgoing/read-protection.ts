import type { CallOptions } from '@agent/platforms';
import type { ProtectPaths } from '../config/protection.ts';
import { readRepositoryFile, repositoryFileName } from '../config/read-repository-file.ts';
import type { GitContext } from '../git/git-repository.ts';
import { readBaseFiles } from '../git/read-branch.ts';
import type { TaskPlace } from '../git/task-place.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import type { PathProtection } from './judge-push.ts';

export interface ProtectionReaderOptions {
  readonly task: WorkspaceTask;
  readonly place: TaskPlace;
  readonly protection: ProtectPaths;
}

/** Creates what reads the rules of a repository's paths: those of the operator, made stricter by `.agent.yml` of the base branch. */
export function createProtectionReader(
  context: GitContext,
  { task, place, protection }: ProtectionReaderOptions,
): (options?: CallOptions) => Promise<PathProtection> {
  return async ({ signal } = {}) => {
    const { rules, readsFile } = protection(task.repositoryPath);
    if (!readsFile) return { rules, narrowing: {} };
    const [text = null] = await readBaseFiles(context, { task, place, paths: [repositoryFileName], signal });
    const { file } = text === null ? { file: null } : readRepositoryFile(text);
    return { rules, narrowing: file?.protected_paths ?? {} };
  };
}

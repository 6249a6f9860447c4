import type { WorkspaceTask } from '@agent/workspace';
import type { Run } from './run.ts';

/** The worktree that belongs to a run, the same after every start; null for a run without a repository. */
export function toWorkspaceTask(
  run: Pick<Run, 'uuid' | 'facts' | 'thread' | 'lineage'>,
): WorkspaceTask | null {
  const { repository, kind } = run.facts;
  if (repository === null) return null;
  return {
    uuid: run.uuid,
    host: run.thread.platform.platform.host,
    repositoryPath: repository.path,
    repositoryId: repository.id,
    cloneUrl: repository.cloneUrl,
    branch: repository.branch,
    baseBranch: repository.baseBranch,
    branchMustExist: kind !== 'issue',
    head: run.facts.handover?.head ?? null,
    goesOnFrom: run.lineage.retryOf,
  };
}

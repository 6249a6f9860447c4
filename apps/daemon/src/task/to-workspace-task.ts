import type { WorkspaceTask } from '../workspace/index.ts';
import type { ActiveRun } from './run-parts.ts';

/** The worktree that belongs to a run, the same after every start. */
export function toWorkspaceTask(run: Pick<ActiveRun, 'uuid' | 'facts' | 'platform'>): WorkspaceTask {
  const { facts } = run;
  return {
    uuid: run.uuid,
    host: run.platform.platform.host,
    repositoryPath: facts.repository,
    cloneUrl: facts.cloneUrl,
    branch: facts.branch,
    baseBranch: facts.baseBranch,
    branchMustExist: facts.kind === 'pull request',
  };
}

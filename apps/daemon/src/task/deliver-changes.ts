import type { TaskWorkspace } from '../workspace/index.ts';
import { formatChangeRequest, formatCommitMessage } from './change-request-text.ts';
import type { Delivery } from './final-comment.ts';
import type { ActiveRun } from './run-parts.ts';

export interface DeliverOptions {
  readonly workspace: TaskWorkspace;
  /** What the model said last; the summary of the pull or merge request. */
  readonly finalText: string;
}

export const nothingDelivered: Delivery = {
  branch: null,
  commit: null,
  changeRequest: null,
  changedFiles: [],
};

/**
 * Brings a run's changes to the platform: commit, push, and for an issue the draft of a pull or merge request. Every step finds
 * what an earlier attempt did, so repeating it after a crash changes nothing. Only what this run committed counts as its
 * changes; what earlier runs left on the branch is in the draft's list of files.
 *
 * @throws WorkspaceError, PlatformError
 */
export async function deliverChanges(run: ActiveRun, options: DeliverOptions): Promise<Delivery> {
  const { workspace } = options;
  await workspace.commitAll(formatCommitMessage(run.facts));
  if (!(await workspace.hasCommits({ since: 'start' }))) {
    return { ...nothingDelivered, changeRequest: await findEarlierWork(run, options) };
  }
  const changedFiles = await listChangedPaths(workspace, 'start');
  const { sha } = await workspace.push();
  run.logger.info(
    { branch: workspace.branch, commit: sha.slice(0, 10), files: changedFiles.length },
    'pushed',
  );
  const changeRequest = run.facts.kind === 'issue' ? await openDraft(run, options) : null;
  return { branch: workspace.branch, commit: sha, changeRequest, changedFiles };
}

/** What shows the work of earlier runs: the open one as it is, or a draft that the run before could not open any more. */
async function findEarlierWork(run: ActiveRun, options: DeliverOptions): Promise<Delivery['changeRequest']> {
  const { facts, thread } = run;
  const { workspace } = options;
  if (facts.kind !== 'issue' || thread.changeRequests === null) return null;
  if (!(await workspace.hasCommits({ since: 'base' }))) return null;
  const found = await thread.changeRequests.findChangeRequest({ headBranch: workspace.branch });
  if (found === null) return openDraft(run, options);
  return found.state === 'open' ? { number: found.number, url: found.url } : null;
}

/** Paths that differ from where the run began, or from the base branch. */
export async function listChangedPaths(
  workspace: TaskWorkspace,
  since: 'base' | 'start',
): Promise<readonly string[]> {
  return (await workspace.changedFiles({ since })).map((file) => file.path);
}

async function openDraft(
  run: ActiveRun,
  { workspace, finalText }: DeliverOptions,
): Promise<Delivery['changeRequest']> {
  if (run.thread.changeRequests === null) return null;
  const changedFiles = await listChangedPaths(workspace, 'base');
  const { title, body } = formatChangeRequest({ ...run.facts, finalText, changedFiles });
  const draft = await run.thread.changeRequests.ensureDraft({
    headBranch: workspace.branch,
    baseBranch: workspace.baseBranch,
    title,
    body,
  });
  run.logger.info({ number: draft.number, url: draft.url }, 'the draft stands');
  return { number: draft.number, url: draft.url };
}

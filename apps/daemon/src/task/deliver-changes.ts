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
 * what an earlier attempt did, so repeating it after a crash changes nothing.
 *
 * @throws WorkspaceError, PlatformError
 */
export async function deliverChanges(run: ActiveRun, options: DeliverOptions): Promise<Delivery> {
  const { workspace, finalText } = options;
  const { facts } = run;
  const since = facts.kind === 'issue' ? 'base' : 'start';
  await workspace.commitAll(formatCommitMessage(facts));
  if (!(await workspace.hasCommits({ since }))) return nothingDelivered;
  const changedFiles = (await workspace.changedFiles({ since })).map((file) => file.path);
  const { sha } = await workspace.push();
  run.logger.info(
    { branch: workspace.branch, commit: sha.slice(0, 10), files: changedFiles.length },
    'pushed',
  );
  const changeRequest =
    facts.kind === 'issue'
      ? await openDraft(run, {
          finalText,
          changedFiles,
          branch: workspace.branch,
          baseBranch: workspace.baseBranch,
        })
      : null;
  return { branch: workspace.branch, commit: sha, changeRequest, changedFiles };
}

async function openDraft(
  run: ActiveRun,
  changes: { finalText: string; changedFiles: readonly string[]; branch: string; baseBranch: string },
): Promise<Delivery['changeRequest']> {
  if (run.thread.changeRequests === null) return null;
  const { title, body } = formatChangeRequest({ ...run.facts, ...changes });
  const draft = await run.thread.changeRequests.ensureDraft({
    headBranch: changes.branch,
    baseBranch: changes.baseBranch,
    title,
    body,
  });
  run.logger.info({ number: draft.number, url: draft.url }, 'the draft stands');
  return { number: draft.number, url: draft.url };
}

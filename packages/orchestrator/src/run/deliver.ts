import type { TaskWorkspace } from '@agent/workspace';
import { composeRequestBody, formatRequestText } from './change-request-body.ts';
import { formatCommitMessage, formatRequestTitle, neutralText } from './change-request-text.ts';
import type { Delivery } from './final-comment.ts';
import { isForFew, listChangedPaths, pushWork } from './push-work.ts';
import type { ActiveRun } from './run.ts';

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
 * @throws WorkspaceError, PlatformError, OtherRepositoryError; Error where the thread has become one that must not be worked on
 */
export async function deliverChanges(run: ActiveRun, options: DeliverOptions): Promise<Delivery> {
  const { workspace } = options;
  await workspace.commitAll((paths) => formatCommitMessage(run.facts, paths));
  if (!(await workspace.hasCommits({ since: 'start' }))) {
    return { ...nothingDelivered, changeRequest: await findEarlierWork(run, options) };
  }
  const { commit, changedFiles, isNeutral } = await pushWork(run, workspace);
  const changeRequest = run.facts.kind === 'issue' ? await openDraft(run, { ...options, isNeutral }) : null;
  return { branch: workspace.branch, commit, changeRequest, changedFiles };
}

/** What shows the work of earlier runs: the open one as it is, or a draft that the run before could not open any more. */
async function findEarlierWork(run: ActiveRun, options: DeliverOptions): Promise<Delivery['changeRequest']> {
  const { facts, thread } = run;
  const { workspace } = options;
  if (facts.kind !== 'issue' || thread.changeRequests === null) return null;
  if (!(await workspace.hasCommits({ since: 'base' }))) return null;
  const found = await thread.changeRequests.findChangeRequest({ headBranch: workspace.branch });
  if (found === null) return openDraft(run, { ...options, isNeutral: await isForFew(run) });
  return found.state === 'open' ? { number: found.number, url: found.url, isDescribed: true } : null;
}

async function openDraft(
  run: ActiveRun,
  { workspace, finalText, isNeutral }: DeliverOptions & { readonly isNeutral: boolean },
): Promise<Delivery['changeRequest']> {
  const { facts, uuid, thread } = run;
  if (thread.changeRequests === null) return null;
  const { number, locale } = facts;
  const changedFiles = await listChangedPaths(workspace, 'base');
  const said = isNeutral ? neutralText[locale] : finalText;
  let isDescribed = true;
  const draft = await thread.changeRequests.ensureDraft({
    headBranch: workspace.branch,
    baseBranch: workspace.baseBranch,
    title: formatRequestTitle(facts, { isNeutral }),
    body: formatRequestText(said, { changedFiles, locale }),
    joinBody: (current, text) => {
      const body = composeRequestBody(current, { uuid, number, text, locale });
      isDescribed = body !== null;
      return body ?? current ?? text;
    },
  });
  run.logger.info({ number: draft.number, url: draft.url, isDescribed }, 'draft pull request opened');
  return { number: draft.number, url: draft.url, isDescribed };
}

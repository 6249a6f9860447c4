import { toCodeSpan } from '@agent/text/outgoing';
import type { TaskWorkspace } from '@agent/workspace';
import { findBranchGuard } from '../admission/branch-guard.ts';
import { findRefusal } from '../admission/refusals.ts';
import { readRoundReasons } from '../follow-up/begin-round.ts';
import { readAllowance } from '../held/held-record.ts';
import type { DoIntent } from '../intents/do-intent.ts';
import { pushIds } from '../intents/intents.ts';
import { formatCommitMessage } from '../report/change-request.ts';
import { runTexts } from '../report/texts.ts';
import { confirmRepository, type Run } from '../run/run.ts';
import type { Delivery } from '../run/run-ending.ts';

export const nothingDelivered: Delivery = {
  branch: null,
  commit: null,
  changeRequest: null,
  changedFiles: [],
};

export interface PushedWork {
  readonly commit: string;
  /** Paths that this run changed. */
  readonly changedFiles: readonly string[];
  /** True where fewer people may read what the run rests on than what it pushed: then nothing beside it may tell of it. */
  readonly isNeutral: boolean;
}

export interface PushOptions {
  readonly workspace: TaskWorkspace;
  /** True for what a run that failed leaves. */
  readonly unfinished: boolean;
  readonly doIntent: DoIntent;
  /** Aborts the transfer: its entry stays open. */
  readonly signal: AbortSignal | undefined;
}

/** Commits all that changed; in a round of a follow-up the message says what it answers. */
export async function commitWork(
  run: Run,
  workspace: Pick<TaskWorkspace, 'commitAll'>,
): Promise<(paths: readonly string[]) => string> {
  const round = await readRoundReasons(run);
  const toMessage = (paths: readonly string[]) => formatCommitMessage(run.facts, paths, round);
  await workspace.commitAll(toMessage);
  return toMessage;
}

/**
 * Pushes what a run has committed, as an entry of its outbox that names the commit: to the repository that it began in and no
 * other, and only where it may still be worked on.
 *
 * @throws what `DoIntent` does; WorkspaceError, OtherRepositoryError; Error where the thread has become one that must not be worked on
 */
export async function pushWork(
  run: Run,
  { workspace, unfinished, doIntent, signal }: PushOptions,
): Promise<PushedWork> {
  const changedFiles = await listChangedPaths(workspace, 'start');
  const { branch } = workspace;
  const intent = {
    id: pushIds.of({ commit: await workspace.tip(), unfinished }),
    kind: 'push',
    data: { branch, unfinished },
  };
  const perform = () => performPush(run, { workspace, signal, confirm: () => run.claim.hold({ signal }) });
  const { commit, is_neutral: isNeutral } = await doIntent(run, { intent, perform });
  run.logger.info({ branch, commit: commit.slice(0, 10), files: changedFiles.length }, 'pushed changes');
  await renewSafely(run);
  return { commit, changedFiles, isNeutral };
}

/** Brings a branch to its server, and tells what the entry keeps of it. Repeating it is safe: the server has the commits then. `confirm` may reject until the last moment. */
export async function performPush(
  run: Run,
  {
    workspace,
    signal,
    confirm,
  }: Pick<PushOptions, 'workspace' | 'signal'> & { readonly confirm?: () => Promise<void> },
): Promise<{ readonly commit: string; readonly is_neutral: boolean }> {
  const description = await confirmRepository(run, { signal });
  const isNeutral = await isForFew(run);
  await confirm?.();
  const { branch } = workspace;
  const guard =
    description === null ? null : await findBranchGuard(run.thread.ports, { branch, description });
  if (guard !== null) throw new Error(runTexts[run.facts.locale].guarded[guard](toCodeSpan(branch)));
  const { sha } = await workspace.push({
    cloneUrl: description?.cloneUrl,
    allowance: await readAllowance(run.state),
    forbidden: description === null ? [] : [description.defaultBranch],
    signal,
  });
  return { commit: sha, is_neutral: isNeutral };
}

/** The push stands without it; the next edit of the status comment says where the record is. */
async function renewSafely({ claim, logger }: Run): Promise<void> {
  try {
    await claim.renew('working');
  } catch (error) {
    logger.warn({ err: error }, 'failed to update status comment after push');
  }
}

/** Paths that differ from where the run began, or from the base branch. */
export async function listChangedPaths(
  workspace: TaskWorkspace,
  since: 'base' | 'start',
): Promise<readonly string[]> {
  return (await workspace.changedFiles({ since })).map((file) => file.path);
}

/** Tells whether fewer people may read what the run rests on, as it is now, than what it opens. */
export async function isForFew({
  thread: { platform, ports, audience },
  facts,
}: Pick<Run, 'thread' | 'facts'>): Promise<boolean> {
  const thread = await ports.reader.readThread();
  const { confidentialIssues } = platform;
  const refusal = await findRefusal(thread, { ports, confidentialIssues });
  if (refusal !== null) throw new Error(runTexts[facts.locale].refusals[refusal]);
  return thread.confidential || (await audience.isInternal());
}

import { toErrorMessage } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import { ChangesHeld, SecretsInChanges, type TaskWorkspace } from '@agent/workspace';
import { heldTexts } from '../held/texts.ts';
import { isTransient, OpenIntentError, type Waiting, waitToRetry } from '../intents/call-with-retry.ts';
import type { DoIntent } from '../intents/do-intent.ts';
import { giveUp } from '../intents/give-up.ts';
import { runTexts } from '../report/texts.ts';
import { findCommandOf, isAbortedBy } from '../run/interrupt-run.ts';
import { OtherRepositoryError, type Run } from '../run/run.ts';
import { ClaimLostError } from '../run/run-claim.ts';
import type { Delivery } from '../run/run-ending.ts';
import { formatRefusedPush } from './format-secrets.ts';
import { commitWork, nothingDelivered, pushWork } from './push-work.ts';

export interface UnfinishedWork {
  readonly delivery: Delivery;
  /** Why it could not be pushed; null where it was, or where there was nothing to push. */
  readonly problem: string | null;
}

/** Work that a failed run left. */
export interface LeftWork {
  readonly workspace: TaskWorkspace;
  /** Aborts the push. */
  readonly signal: AbortSignal;
}

interface UnfinishedServices extends Waiting {
  readonly doIntent: DoIntent;
}

const waitsMs = [1_000, 4_000, 16_000, null];

/**
 * Pushes the changes of a failed run to its own branch, without a draft, so that people and the next run find them. On the
 * branch of a pull or merge request they stay a local commit. A shutdown and a pause leave the push for later; a command to stop abandons it.
 *
 * @throws OtherRepositoryError
 */
export async function deliverUnfinished(
  services: UnfinishedServices,
  run: Run,
  work: LeftWork,
): Promise<UnfinishedWork> {
  const { signal } = work;
  for (const waitMs of waitsMs) {
    try {
      return await pushUnfinished(services, run, work);
    } catch (error) {
      if (error instanceof OtherRepositoryError || error instanceof ClaimLostError) throw error;
      const command = findCommandOf(error, signal);
      if (command !== null)
        return { delivery: nothingDelivered, problem: await describeCut(run, { command, ...work }) };
      if (isAbortedBy(services.shutdown, error)) throw error;
      run.logger.warn({ err: error }, 'failed to push work of failed run');
      if (!(await waitToRetry(error, { ...services, shutdown: signal, waitMs })))
        return { delivery: nothingDelivered, problem: await judgeProblem(error, run, work.workspace) };
    }
  }
  return { delivery: nothingDelivered, problem: null };
}

/** Says why a command cut the push of what a run left. */
async function describeCut(
  run: Run,
  { command, workspace }: { readonly command: 'pause' | 'stop'; readonly workspace: TaskWorkspace },
): Promise<string> {
  const { pushStopped, pushedLater } = runTexts[run.facts.locale];
  if (command === 'pause') return pushedLater(toCodeSpan(workspace.branch));
  await giveUpPushes(run, { by: 'a command', reason: 'The run received the command to stop.' });
  return pushStopped;
}

async function giveUpPushes(
  run: Run,
  given: { readonly by: string; readonly reason: string },
): Promise<void> {
  for (const entry of await run.outbox.list())
    if (entry.kind === 'push' && entry.state === 'open') await giveUp(run, entry, given);
}

/** Says why what a run left was not pushed. What is refused or cannot be asked stays an open entry; anything else fails each time. */
async function judgeProblem(error: unknown, run: Run, { branch }: TaskWorkspace): Promise<string> {
  const { locale } = run.facts;
  const message = toErrorMessage(error);
  if (isTransient(error) || error instanceof OpenIntentError)
    return `${message} ${runTexts[locale].pushedLater(toCodeSpan(branch))}`;
  await giveUpPushes(run, { by: 'the end of the run', reason: message });
  if (error instanceof ChangesHeld) return heldTexts[locale].refused(error.paths.map(toCodeSpan).join(', '));
  return error instanceof SecretsInChanges ? formatRefusedPush(error.places, locale) : message;
}

async function pushUnfinished(
  { doIntent }: Pick<UnfinishedServices, 'doIntent'>,
  run: Run,
  { workspace, signal }: LeftWork,
): Promise<UnfinishedWork> {
  const { facts } = run;
  await commitWork(run, workspace);
  if (!(await workspace.hasCommits({ since: 'start' }))) return { delivery: nothingDelivered, problem: null };
  const { branchOfPeople } = runTexts[facts.locale];
  if (facts.repository?.isOwn !== true) return { delivery: nothingDelivered, problem: branchOfPeople };
  const { commit, changedFiles } = await pushWork(run, { workspace, doIntent, signal, unfinished: true });
  return { delivery: { ...nothingDelivered, branch: workspace.branch, commit, changedFiles }, problem: null };
}

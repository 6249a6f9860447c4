import { PlatformError } from '@agent/platforms';
import type { RunOutcome } from '@agent/runner';
import type { Redact } from '@agent/text/outgoing';
import { type OpenedWorkspace, SecretsInChanges, type TaskWorkspace } from '@agent/workspace';
import type { ObserveBoard } from '../board/board-event.ts';
import { readFollowUp } from '../follow-up/follow-up-record.ts';
import { confirmReleased } from '../held/held-record.ts';
import { isTransient, type Waiting } from '../intents/call-with-retry.ts';
import type { DoIntent } from '../intents/do-intent.ts';
import { addAction } from '../plan/add-action.ts';
import {
  composeRequestBody,
  formatRequestText,
  formatRequestTitle,
  isOpenedBy,
} from '../report/change-request.ts';
import { runTexts } from '../report/texts.ts';
import type { Run } from '../run/run.ts';
import type { Delivery } from '../run/run-ending.ts';
import { deliverUnfinished, type LeftWork, type UnfinishedWork } from './deliver-unfinished.ts';
import { formatRefusedPush, formatSecretsRequest } from './format-secrets.ts';
import { type HoldChangesOptions, holdChanges, type RunChecks } from './hold-changes.ts';
import { commitWork, isForFew, listChangedPaths, nothingDelivered, pushWork } from './push-work.ts';
import { takeRefusal } from './take-refusal.ts';
import type { WaitForPermission } from './wait-for-permission.ts';
import { wantReview } from './want-review.ts';

export interface DeliverOrAskOptions {
  /** Null where there is no repository. */
  readonly workspace: (TaskWorkspace & Pick<OpenedWorkspace, 'outgoing'>) | null;
  readonly outcome: RunOutcome;
  /** True where the model was asked before to take secrets out. */
  readonly wasAsked: boolean;
  readonly runChecks: RunChecks;
  /** Aborts a push. */
  readonly signal: AbortSignal;
}

/** Brings the work of runs to the platform. */
export interface Deliver {
  /** Null when the model was asked to take secrets out, and the conversation goes on. */
  readonly deliverOrAsk: (run: Run, options: DeliverOrAskOptions) => Promise<Delivery | null>;
  /** Pushes what a run that failed has changed. */
  readonly deliverUnfinished: (run: Run, work: LeftWork) => Promise<UnfinishedWork>;
  /** Lets a run that has held changes wait for a person. */
  readonly wait: WaitForPermission;
}

export interface DeliverServices extends Waiting {
  readonly doIntent: DoIntent;
  readonly redactOutgoing: Redact;
  readonly waitForPermission: WaitForPermission;
  readonly observe: ObserveBoard;
}

export function createDeliver({ observe, ...services }: DeliverServices): Deliver {
  const telling = async <Result>({ uuid }: Run, deliver: () => Promise<Result>): Promise<Result> => {
    observe({ type: 'delivery', uuid, begins: true });
    return deliver().finally(() => observe({ type: 'delivery', uuid, begins: false }));
  };
  return {
    deliverOrAsk: (run, options) => telling(run, () => deliverOrAsk(services, run, options)),
    deliverUnfinished: (run, work) => telling(run, () => deliverUnfinished(services, run, work)),
    wait: services.waitForPermission,
  };
}

/**
 * Brings a run's changes to the platform. Changes with secrets are not pushed: the model is told where they stand and may
 * take them out, once.
 *
 * @returns null when the model was asked, and the conversation goes on
 * @throws Error in the words of the thread when they are pushed all the same; the worktree keeps the changes
 */
async function deliverOrAsk(
  services: Pick<DeliverServices, 'doIntent' | 'redactOutgoing'>,
  run: Run,
  { workspace, outcome, wasAsked, runChecks, signal }: DeliverOrAskOptions,
): Promise<Delivery | null> {
  if (workspace === null) return nothingDelivered;
  try {
    return await deliverChanges(run, {
      ...{ ...services, workspace, runChecks, signal, finalText: outcome.finalText ?? '' },
      holdsSecrets: wasAsked,
    });
  } catch (error) {
    if (!(error instanceof SecretsInChanges)) throw error;
    run.logger.warn({ secrets: error.places }, 'refused to push: changes contain possible secrets');
    if (wasAsked) throw new Error(formatRefusedPush(error.places, run.facts.locale), { cause: error });
    await run.journal.append({
      type: 'message',
      message: { role: 'user', content: formatSecretsRequest(error.places) },
      usage: null,
      delivers: [],
      activeMs: outcome.statistics.durationMs,
    });
    await addAction(run, {
      tool: 'edit_file',
      purpose: 'Remove what keeps the changes from being pushed, as listed above.',
      expectedOutcome: 'No file contains any of it.',
      cause: 'verification',
    });
    return null;
  }
}

interface DeliverOptions extends Pick<DeliverServices, 'doIntent'> {
  readonly workspace: TaskWorkspace;
  /** Last words of the model; the summary of the pull or merge request. */
  readonly finalText: string;
  readonly signal: AbortSignal;
}

/**
 * Brings a run's changes to the platform: commit, push, and for an issue the draft of a pull or merge request. Every step finds
 * what an earlier attempt did, so repeating it after a crash changes nothing. Only what this run committed counts as its
 * changes; what earlier runs left on the branch is in the draft's list of files.
 *
 * @throws WorkspaceError, PlatformError, OtherRepositoryError; Error where the thread has become one that must not be worked on
 */
async function deliverChanges(
  run: Run,
  options: DeliverOptions & Omit<HoldChangesOptions, 'toMessage'>,
): Promise<Delivery> {
  const { workspace, doIntent, signal } = options;
  const toMessage = await commitWork(run, workspace);
  await holdChanges(run, { ...options, toMessage });
  if (!(await workspace.hasCommits({ since: 'start' }))) {
    const followUp = await readFollowUp(run.state);
    const earlier = followUp === null ? await findEarlierWork(run, options) : followUp.delivery.changeRequest;
    return { ...nothingDelivered, changeRequest: earlier };
  }
  const pushed = await pushWork(run, { workspace, doIntent, signal, unfinished: false }).catch(
    async (error: unknown) => {
      if (await takeRefusal(run, error)) return null;
      throw error;
    },
  );
  // Nothing is allowed any more: the next round holds it.
  if (pushed === null) return deliverChanges(run, options);
  await confirmReleased(run.state);
  const { commit, changedFiles, isNeutral } = pushed;
  // The request that a run stays with is described already.
  const followUp = await readFollowUp(run.state);
  const opens = run.facts.repository?.isOwn === true && followUp === null;
  const changeRequest = opens ? await openDraft(run, { ...options, isNeutral }) : null;
  return { branch: workspace.branch, commit, changeRequest, changedFiles };
}

/** Finds the request that shows the work of earlier runs: the open one as it is, or a draft that the run before could not open any more. */
async function findEarlierWork(run: Run, options: DeliverOptions): Promise<Delivery['changeRequest']> {
  const { facts, thread } = run;
  const { workspace } = options;
  const { changeRequests } = thread.ports;
  if (facts.repository?.isOwn !== true || changeRequests === null) return null;
  if (!(await workspace.hasCommits({ since: 'base' }))) return null;
  const found = await changeRequests.findChangeRequest({ headBranch: workspace.branch });
  if (found === null) return openDraft(run, { ...options, isNeutral: await isForFew(run) });
  return found.state === 'open' ? { number: found.number, url: found.url, isDescribed: true } : null;
}

async function openDraft(
  run: Run,
  { workspace, doIntent, finalText, isNeutral }: DeliverOptions & { readonly isNeutral: boolean },
): Promise<Delivery['changeRequest']> {
  const { facts, uuid, thread } = run;
  const { changeRequests } = thread.ports;
  if (changeRequests === null) return null;
  const { kind, number, locale } = facts;
  const changedFiles = await listChangedPaths(workspace, 'base');
  const said = isNeutral ? runTexts[locale].request.neutral : finalText;
  const { branch } = workspace;
  const perform = async () => {
    let isDescribed = true;
    let isOurs = false;
    const openInto = (baseBranch: string) =>
      changeRequests.ensureDraft({
        headBranch: branch,
        baseBranch,
        title: formatRequestTitle(facts, { isNeutral }),
        body: formatRequestText(said, { changedFiles, locale }),
        joinBody: (current, text) => {
          isOurs ||= current === null || isOpenedBy(current, uuid);
          const body = composeRequestBody(current, { uuid, kind, number, text, locale });
          isDescribed = body !== null;
          return body ?? current ?? text;
        },
      });
    const { number: opened, url } = await openInto(workspace.baseBranch).catch(async (error: unknown) => {
      const base = await findNewDefaultBranch(run, { refused: workspace.baseBranch, error });
      if (base === null) throw error;
      return openInto(base);
    });
    if (isOurs) await wantReview(run, opened);
    return { number: opened, url, is_described: isDescribed };
  };
  const intent = { id: `change-request:${await workspace.tip()}`, kind: 'change-request', data: { branch } };
  const { is_described, ...opened } = await doIntent(run, { intent, perform });
  const draft = { ...opened, isDescribed: is_described };
  run.logger.info(draft, 'opened draft pull request');
  return draft;
}

/** Finds the default branch where a draft was refused because its base may be gone; null if the base is that branch. */
async function findNewDefaultBranch(
  { thread: { ports }, logger }: Run,
  { refused, error }: { readonly refused: string; readonly error: unknown },
): Promise<string | null> {
  if (!PlatformError.isInstance(error) || isTransient(error) || ports.repository === null) return null;
  const { defaultBranch } = await ports.repository.describe();
  if (defaultBranch === refused) return null;
  logger.warn({ err: error, refused, defaultBranch }, 'opening draft into the new default branch');
  return defaultBranch;
}

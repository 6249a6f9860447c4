import type { CommentChange } from '@agent/comment-detection';
import {
  type CallOptions,
  type ChangeRequest,
  type Check,
  PlatformError,
  type ReviewPorts,
  type TaskKey,
  type ThreadReader,
} from '@agent/platforms';
import type { FollowUpSettings } from '../config/follow-up-settings.ts';
import { OpenIntentError } from '../intents/call-with-retry.ts';
import { type DoIntent, GivenUpError } from '../intents/do-intent.ts';
import { parseIntent } from '../intents/intents.ts';
import type { Run } from '../run/run.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { decideFollowUp, type FollowUpStep, toRerunName } from './decide-follow-up.ts';
import {
  type FollowUpRecord,
  isRenewed,
  readFollowUp,
  readWatchWish,
  withWish,
  writeFollowUp,
} from './follow-up-record.ts';
import { createReviewTest, toRequestKey } from './followed-request.ts';

export interface RequestWatchOptions {
  /** Null where only `/watch` has runs stay with their change requests. */
  readonly settings: FollowUpSettings | null;
  readonly doIntent: DoIntent;
  readonly now: () => number;
  /** Opens the change request to be read. Default: it is read anew each time. */
  readonly openRequest?: ((key: TaskKey) => OpenedRequest) | undefined;
}

/** A change request that is read from time to time. */
export interface OpenedRequest {
  readonly review: ReviewPorts | null;
  /** Reads it, at the latest when something new was said. */
  readonly read: (said: readonly CommentChange[]) => Promise<ReadRequest>;
  /** Has it read anew the next time. */
  readonly forget: () => void;
}

/** A change request, as it was read last. */
export interface ReadRequest {
  readonly request: ChangeRequest | null;
  readonly checks: readonly Check[];
}

/** A run that stays with its change request. */
export interface WatchingRun extends Pick<Run, 'uuid' | 'state' | 'outbox' | 'logger'> {
  readonly platform: Pick<ConfiguredPlatform, 'platform' | 'trust'>;
  /** Thread of the run. */
  readonly key: TaskKey;
}

/**
 * Next step of the run, and the change request that it follows from; null where there is none to read. `renew`: somebody has said anew how
 * long it waits.
 */
export interface WatchedStep {
  readonly kind: 'wait' | 'round' | 'end' | 'renew';
  readonly request: ChangeRequest | null;
}

/**
 * Looks at the change request of a run, and keeps the step that follows: the end of the watch, or that a change woke the run. `said`: what
 * its model has not been told.
 */
export type WatchRequest = (said: readonly CommentChange[]) => Promise<WatchedStep>;

/** Opens the watch over one change request. Makes no request itself, and asks no model. */
export function openRequestWatch(
  run: WatchingRun,
  { settings, doIntent, now, openRequest }: RequestWatchOptions,
): WatchRequest {
  const { platform, key, state } = run;
  const open = openRequest ?? ((at: TaskKey) => openAnew(platform, at));
  let opened: OpenedRequest | null = null;
  const isBlocked = createReviewTest(platform, { now });
  return async (said) => {
    const record = await readFollowUp(state);
    const requestKey = record && toRequestKey(key, record.number);
    if (record === null || requestKey === null) return { kind: 'round', request: null };
    opened ??= open(requestKey);
    const { request, checks } = await opened.read(said);
    if (request === null) return { kind: 'round', request };
    const wish = await readWatchWish(state);
    const renews = isRenewed(record, wish);
    const step = decideFollowUp({
      ...{ request, said, checks },
      record: renews ? { ...record, deadline: endOfTime } : record,
      reruns: await settleReruns(run, checks),
      settings: withWish(settings, wish),
      wish: wish?.name ?? null,
      now: now(),
    });
    const isGreen = step.kind === 'end' && step.end === 'green';
    if (isGreen && (await isBlocked(requestKey))) return { kind: 'wait', request };
    if (step.kind === 'rerun') {
      await rerun(run, { review: opened.review, doIntent, check: step.check });
      opened.forget();
      return { kind: 'wait', request };
    }
    const kind = step.kind === 'wait' && renews && record.isWaiting ? 'renew' : step.kind;
    await keepStep(run, record, kind === 'renew' ? { kind } : step);
    return { kind, request };
  };
}

/** Later than any date. */
const endOfTime = new Date(8.64e15).toISOString();

async function keepStep(
  { state }: Pick<WatchingRun, 'state'>,
  record: FollowUpRecord,
  step: Exclude<FollowUpStep, { kind: 'rerun' }> | { readonly kind: 'renew' },
): Promise<void> {
  if (step.kind === 'wait') return;
  // Who listens may not know yet what was said: the run looks once more before it takes its work for done.
  const isForRun = step.kind !== 'end' || step.end === 'green';
  if (!record.isWaiting || !isForRun) {
    if (step.kind === 'end') await writeFollowUp(state, { ...record, end: step.end });
    return;
  }
  if (!record.isWoken) await writeFollowUp(state, { ...record, isWoken: true });
}

function openAnew({ platform }: WatchingRun['platform'], key: TaskKey): OpenedRequest {
  const { reader } = platform.openThread(key);
  const review = platform.openReview?.(key) ?? null;
  return { review, read: () => readRequest({ reader, review }), forget: () => undefined };
}

/** Reads a change request and the checks of its head. */
export async function readRequest(
  {
    reader,
    review,
  }: { readonly reader: Pick<ThreadReader, 'readThread'>; readonly review: ReviewPorts | null },
  { signal }: CallOptions = {},
): Promise<ReadRequest> {
  const { changeRequest } = await reader.readThread({ signal });
  if (changeRequest === null) return { request: null, checks: [] };
  const isOpen = changeRequest.state === 'open';
  const mergeQueued =
    changeRequest.mergeQueued ?? (isOpen && ((await review?.isMergeQueued?.({ signal })) ?? false));
  const request = { ...changeRequest, mergeQueued };
  return { request, checks: await listChecks(review, request.headSha) };
}

/** Lists none where the credential may not read any: then nothing is known to be green, and nothing to have failed. */
async function listChecks(review: ReviewPorts | null, head: string): Promise<readonly Check[]> {
  if (review === null) return [];
  try {
    return await review.checks.list({ head });
  } catch (error) {
    if (PlatformError.isInstance(error) && error.code === 'forbidden') return [];
    throw error;
  }
}

/** Settles the reruns that another attempt has followed, whoever asked for it. @returns the names of those that are settled */
async function settleReruns(
  { outbox }: Pick<WatchingRun, 'outbox'>,
  checks: readonly Check[],
): Promise<ReadonlySet<string>> {
  const settled = new Set<string>();
  for (const entry of await outbox.list()) {
    if (entry.kind !== 'rerun') continue;
    const intent = parseIntent(entry);
    if (intent.kind !== 'rerun') continue;
    const { head, name, attempt } = intent.data;
    const last = checks.findLast((check) => check.head === head && check.name === name);
    const isMade = last !== undefined && last.id !== attempt;
    if (entry.state === 'open' && isMade)
      await outbox.settle(entry.id, { state: 'done', made: { attempt: last.id } });
    if (entry.state !== 'open' || isMade) settled.add(toRerunName(head, name));
  }
  return settled;
}

/** Runs a flaky check again, as an entry of the outbox: it was looked for before, and what is refused stays open. */
async function rerun(
  run: WatchingRun,
  {
    review,
    doIntent,
    check,
  }: { readonly review: ReviewPorts | null; readonly doIntent: DoIntent; readonly check: Check },
): Promise<void> {
  const { id: attempt, head, name } = check;
  const intent = { id: `rerun:${toRerunName(head, name)}`, kind: 'rerun', data: { head, name, attempt } };
  const perform = async () => {
    await review?.checks.rerun(check);
    return {};
  };
  try {
    await doIntent(run, { intent, perform });
    run.logger.info({ check: name, head }, 'reran flaky check');
  } catch (error) {
    const isLater = PlatformError.isInstance(error) || error instanceof OpenIntentError;
    if (!isLater && !(error instanceof GivenUpError)) throw error;
    run.logger.warn({ check: name, err: error }, 'failed to rerun flaky check');
  }
}

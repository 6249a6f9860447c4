import type { CommentChange } from '@agent/comment-detection';
import { type Check, PlatformError, type ReviewPorts, type TaskKey } from '@agent/platforms';
import type { RunState } from '@agent/run-store';
import { type FollowUpSettings, followUpSchema } from '../config/follow-up-settings.ts';
import type { RunLogger } from '../ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { decideFollowUp, toRerunName } from './decide-follow-up.ts';
import { type FollowUpRecord, readFollowUp, readWatchWish, writeFollowUp } from './follow-up-record.ts';
import { toRequestKey } from './followed-request.ts';

export interface RequestWatchOptions {
  /** Null where only `/watch` has runs stay with their change requests. */
  readonly settings: FollowUpSettings | null;
  readonly now: () => number;
}

/** A run that waits for its change request. */
export interface WatchingRun {
  readonly platform: ConfiguredPlatform;
  /** Thread of the run. */
  readonly key: TaskKey;
  readonly state: Pick<RunState, 'read' | 'write'>;
  readonly logger: RunLogger;
}

/** Looks at the change request of a run that waits. `said`: what its model has not been told. @returns whether the run is to go on */
export type WatchRequest = (said: readonly CommentChange[]) => Promise<boolean>;

/** Opens the watch over one change request. Makes no request itself, and asks no model. */
export function openRequestWatch(run: WatchingRun, { settings, now }: RequestWatchOptions): WatchRequest {
  const { platform, key, state } = run;
  let opened: ReturnType<typeof openRequest> | null = null;
  return async (said) => {
    const record = await readFollowUp(state);
    const requestKey = record && toRequestKey(key, record.number);
    if (record === null || requestKey === null) return true;
    opened ??= openRequest(platform, requestKey);
    const { changeRequest: request } = await opened.reader.readThread();
    if (request === null) return true;
    const step = decideFollowUp({
      ...{ request, said, record },
      checks: await listChecks(opened.review, request.headSha),
      settings: settings ?? followUpSchema.parse({}),
      wish: await readWatchWish(state),
      now: now(),
    });
    if (step.kind === 'rerun') await rerun(run, opened.review, { record, check: step.check });
    if (step.kind === 'end') await writeFollowUp(state, { ...record, end: step.end });
    return step.kind === 'end' || step.kind === 'round';
  };
}

function openRequest({ platform }: ConfiguredPlatform, key: TaskKey) {
  const { reader } = platform.openThread(key);
  return { reader, review: platform.openReview?.(key) ?? null };
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

/** Runs a flaky check again. It is noted before: a crash in between costs the rerun, and never makes it twice. */
async function rerun(
  { state, logger }: WatchingRun,
  review: ReviewPorts | null,
  { record, check }: { readonly record: FollowUpRecord; readonly check: Check },
): Promise<void> {
  const reruns = [...record.reruns, toRerunName(check.head, check.name)];
  await writeFollowUp(state, { ...record, reruns });
  try {
    await review?.checks.rerun(check);
    logger.info({ check: check.name, head: check.head }, 'a flaky check runs again');
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    logger.warn({ check: check.name, err: error }, 'a flaky check cannot be run again');
  }
}

import {
  ContextStoreError,
  type JsonObject,
  type NewIntent,
  type Outcome,
  type RestingRuns,
  type RunControls,
  type RunStore,
} from '@agent/run-store';
import { addUsage, type TokenUsage } from '@agent/runner';
import type { ModelMessage } from 'ai';
import { withFollowedRequest } from '../follow-up/followed-request.ts';
import type { EnsureFinalSummary, SummarizedHolding } from '../inheritance/ensure-summaries.ts';
import {
  DeferredError,
  isTransient,
  longestWaitMs,
  retryAfterMsOf,
  type Waiting,
} from '../intents/call-with-retry.ts';
import { giveUp } from '../intents/give-up.ts';
import { endIds, findTaken, listEndIntents } from '../intents/intents.ts';
import { type OpenEntry, ofDeletion, type SettleRun } from '../outbox/settle-run.ts';
import type { UnsettledRuns } from '../outbox/unsettled-runs.ts';
import { readShownPlan } from '../plan/plan-mode.ts';
import type { ComposeFinalComment } from '../report/compose-final-comment.ts';
import type { Run } from '../run/run.ts';
import {
  formatEndDetails,
  isOfDeleted,
  isWithdrawn,
  type JudgedOutcome,
  parseEndDetails,
  type RunEnding,
} from '../run/run-ending.ts';
import { nameRun } from '../run/run-facts.ts';
import { putAway } from '../run/run-record.ts';
import { closingReview, overheardBy } from '../run/run-thread.ts';
import { logEnd, readCircumstances } from './log-end.ts';

/** Contents of `outcome.json`, as far as the steps after it need them. */
export interface CommittedEnd {
  readonly status: Outcome;
  readonly details?: unknown;
}

export interface ConcludeOptions {
  readonly controls: Pick<RunControls, 'remove'>;
  readonly ensureFinalSummary: EnsureFinalSummary;
  readonly composeFinalComment: ComposeFinalComment;
  readonly finish: FinishRun;
}

export type Conclude = (held: SummarizedHolding, ending: RunEnding) => Promise<void>;

/**
 * Creates what ends a run: what it leaves for later runs is summarized, then the final comment is composed and committed with the
 * outcome and all that follows from it; from then on the end is a fact, and whatever process comes next carries out what is open.
 *
 * @throws DeferredError while the disk does not take the end: nobody is told of an end that is no fact
 */
export function createConclude(options: ConcludeOptions): Conclude {
  const { controls, ensureFinalSummary, composeFinalComment, finish } = options;
  return async (held, carried) => {
    const { run } = held;
    const spent = await ensureFinalSummary(held, carried);
    const ending = { ...carried, outcome: addSpent(carried.outcome, spent) };
    const finalComment = await composeFinalComment(run, ending);
    const { delivery, hearing } = ending;
    const plan = await readShownPlan(run);
    const { stopCause } = ending;
    const end = { finalComment, delivery, detection: hearing.statistics, plan, stopCause };
    const details = formatEndDetails(end);
    // Whoever gave something up did not mean what follows from the end.
    await controls.remove(run.uuid, ['settle']);
    await commitEnd(run, { ...ending.outcome, details }, finish);
  };
}

/** Commits an end with what follows from it, then carries that out. @throws DeferredError while the disk does not take it */
export async function commitEnd(
  run: Run,
  end: JudgedOutcome & { readonly details: JsonObject },
  finish: FinishRun,
): Promise<void> {
  const circumstances = await readCircumstances(run, end);
  const details = { ...end.details, error_class: circumstances.errorClass, tool: circumstances.tool };
  try {
    await run.journal.finish({ ...end, details }, { intents: await listIntents(run, end) });
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error;
    run.logger.error({ err: error }, 'failed to record run result; retrying');
    throw new DeferredError(() => commitEnd(run, end, finish), { cause: error });
  }
  logEnd(run, end, circumstances);
  await finish(run, end);
}

async function listIntents(
  { uuid, facts, outbox }: Run,
  { status, details }: CommittedEnd,
): Promise<readonly NewIntent[]> {
  if (isOfDeleted({ details })) return [];
  if (isWithdrawn({ details })) return [{ id: endIds.claim, kind: 'claim', data: {} }];
  const { finalComment } = parseEndDetails(details);
  const takes = findTaken(await outbox.list(), facts.handover?.at ?? null);
  return listEndIntents({ uuid, status, finalComment, takes });
}

/** The calls for the summary are no part of the conversation, and cost the same. */
function addSpent(outcome: JudgedOutcome, spent: readonly TokenUsage[]): JudgedOutcome {
  const { statistics: before } = outcome;
  const modelCalls = before.modelCalls + spent.length;
  const statistics = { ...before, ...spent.reduce(addUsage, before), modelCalls };
  return { ...outcome, statistics };
}

/**
 * Carries out what follows from a committed end, and archives the run once nothing of it is open. All of it is safe to repeat. What
 * cannot be done in the first seconds stays open: the run is kept among those that are not settled, and its thread is free; where
 * processes share the queue, it is an entry of its own there.
 *
 * @throws DeferredError when the disk did not let the run be archived; OpenEndError for a queue that processes share
 */
export type FinishRun = (run: Run, end: CommittedEnd) => Promise<void>;

export interface FinishOptions extends Waiting {
  readonly store: Pick<RunStore<ModelMessage>, 'finish'> & Pick<RestingRuns<ModelMessage>, 'index'>;
  readonly controls: Pick<RunControls, 'remove'>;
  readonly settle: SettleRun;
  readonly unsettled: Pick<UnsettledRuns, 'keepEnded'>;
}

const waitsMs = [1_000, 2_000, 4_000, 8_000, null];

/** Rounds on the spot where something was refused: what does not pass in seconds is not worth more requests at once. */
const refusedRounds = 3;

/** Creates it. */
export function createFinishRun(options: FinishOptions): FinishRun {
  const { store, settle, unsettled } = options;
  return async (run, { status, details }) => {
    // A record that was made again from the files beside it has its end without what follows from it.
    for (const intent of await listIntents(run, { status, details })) await run.outbox.open(intent);
    if (isWithdrawn({ details })) await giveUpOthers(run);
    if (isOfDeleted({ details })) await giveUpAll(run);
    const open = await settleInSeconds(options, run);
    if (open.length === 0) return archiveOrDefer(options, run);
    run.logger.warn({ open: open.map(({ entry }) => entry.id) }, 'failed to publish run result; retrying');
    // Until it is put away, later runs find it there.
    await store.index(run.uuid).catch((error: unknown) => {
      run.logger.warn({ err: error }, 'failed to index finished run');
    });
    unsettled.keepEnded({
      uuid: run.uuid,
      status,
      name: nameRun(run.facts, run.thread.platform.platform),
      open,
      again: async () => {
        const left = await settle(withOpenThread(run));
        if (left.length === 0) await archive(options, run);
        return left;
      },
    });
  };
}

/** The thread is another run's, or shows an end: what a run that withdrew still wanted there is wanted no more. */
async function giveUpOthers(run: Run): Promise<void> {
  const given = { by: 'the withdrawal', reason: 'this run withdrew from its thread' };
  for (const entry of await run.outbox.list())
    if (entry.state === 'open' && entry.kind !== 'claim') await giveUp(run, entry, given);
}

/** There is no thread any more on which anything could be shown. A push needs none. */
async function giveUpAll(run: Run): Promise<void> {
  for (const entry of await run.outbox.list())
    if (entry.state === 'open' && entry.kind !== 'push') await giveUp(run, entry, ofDeletion);
}

/** Tries what is open, or wanted of it, again for a few seconds. @returns what is left */
export async function settleInSeconds(
  { settle, sleep, shutdown }: Pick<FinishOptions, 'settle'> & Waiting,
  run: Run,
  wanted?: (id: string) => boolean,
): Promise<readonly OpenEntry[]> {
  let open: readonly OpenEntry[] = [];
  for (const [round, waitMs] of waitsMs.entries()) {
    open = await settle(run, wanted);
    if (open.length === 0 || waitMs === null || shutdown.aborted) break;
    if (round + 1 >= refusedRounds && !open.every(({ error }) => isTransient(error))) break;
    const wantedMs = Math.max(waitMs, ...open.map(({ error }) => retryAfterMsOf(error)));
    if (wantedMs > longestWaitMs) break;
    await sleep(wantedMs, shutdown);
  }
  return open;
}

/** The same run with its thread opened again: whoever let go of it closed what it listened by. */
function withOpenThread(run: Run): Run {
  const { platform, ports, audience, review } = run.thread;
  const comments = closingReview(platform.openSource(ports), review);
  const heard = withFollowedRequest({ platform, ports, comments }, run);
  return { ...run, thread: { ...run.thread, comments: overheardBy(audience, heard) } };
}

async function archiveOrDefer(options: FinishOptions, run: Run): Promise<void> {
  try {
    await archive(options, run);
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error;
    run.logger.error({ err: error }, 'failed to archive run; retrying');
    throw new DeferredError(() => archiveOrDefer(options, run), { cause: error });
  }
}

async function archive(
  options: Pick<FinishOptions, 'store' | 'controls'>,
  { uuid, thread, logger }: Run,
): Promise<void> {
  thread.comments.close();
  await putAway(options, uuid);
  logger.info({}, 'finished task');
}

/** Tells what a person can fix while the daemon goes on: space, permissions, a disk that is not there. */
function isRefusedByDisk(error: unknown): boolean {
  return ContextStoreError.isInstance(error) && ['storage-full', 'storage-failed'].includes(error.code);
}

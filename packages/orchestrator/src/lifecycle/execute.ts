import type { Outcome } from '@agent/run-store';
import type { RunSignals } from '@agent/runner';
import type { BoardTask, ObserveBoard } from '../board/board-event.ts';
import { nothingDelivered } from '../delivery/push-work.ts';
import type { FollowUp } from '../follow-up/create-follow-up.ts';
import { readFollowUp } from '../follow-up/follow-up-record.ts';
import { noComments } from '../inbox/delivered-comments.ts';
import {
  DeferredError,
  isDiskFull,
  isRefused,
  isTransient,
  OpenIntentError,
  type Waiting,
  waitToRetry,
} from '../intents/call-with-retry.ts';
import { forgetWait, readStopCause } from '../listening/watch-paused.ts';
import { OpenEndError } from '../outbox/unsettled-runs.ts';
import { countCrashes } from '../planning/count-crashes.ts';
import type { Run } from '../run/run.ts';
import { ClaimLostError } from '../run/run-claim.ts';
import type { RunControl } from '../run/run-control.ts';
import { type RunEnding, readRunStatistics } from '../run/run-ending.ts';
import { nameRun } from '../run/run-facts.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { Snapshot } from '../run/run-thread.ts';
import { isDeleted, ThreadDeletedError } from '../run/watch-thread.ts';
import type { RunSpending } from '../spending/run-spending.ts';
import type { HeldByProcess } from './activate.ts';
import type { RunAttempt } from './attempt.ts';
import type { Conclude } from './conclude.ts';
import { giveUpPause, type PauseRun } from './pause.ts';
import { requireMoney } from './require-money.ts';
import type { Withdraw } from './withdraw.ts';

const waitsMs = [1_000, 4_000, 16_000];

/** Model and money, which a run can have to wait for. */
export interface Outages {
  /** Called by a run that does not wait for its model any longer: no other run begins. */
  readonly giveUpModel: () => void;
  /** Money of a run; null if nothing costs anything. */
  readonly spendingOf: (run: Run) => Pick<RunSpending, 'findHold'> | null;
}

export interface ExecuteOptions extends Waiting {
  readonly attempt: RunAttempt;
  readonly pause: PauseRun;
  readonly followUp: Pick<FollowUp, 'wait'>;
  readonly conclude: Conclude;
  readonly withdraw: Withdraw;
  readonly outages: Outages;
  readonly observe: ObserveBoard;
}

/** `snapshot`: null when the run continues; then its thread is read again. */
export type ExecuteRun = (held: HeldByProcess, snapshot: Snapshot | null) => Promise<void>;

/**
 * Creates what carries a run from where its journal stands to its end: attempts, pause or conclusion.
 * A shutdown leaves it in `running/`, for the next start to go on from.
 *
 * @throws ContextStoreError when the end cannot be written down; DeferredError when the platform cannot be reached now
 */
export function createExecute(options: ExecuteOptions): ExecuteRun {
  return async (held, snapshot) => {
    if (snapshot === null) await forgetWait(held.run.state);
    // Once for each process: its progress says nothing about earlier processes that crashed.
    const crashes = await countCrashes({ ...held.run, crashesInARow: held.crashesInARow });
    return carryOut(options, held, { snapshot, crashes, outlastsRefusals: true });
  };
}

interface Start {
  /** Null when the run goes on: then the thread is read again. */
  readonly snapshot: Snapshot | null;
  /** Number of processes in a row that crashed during the run and made no progress. */
  readonly crashes: number;
  /** False for the last attempt: then a refusal is what the run ends with. */
  readonly outlastsRefusals: boolean;
}

async function carryOut(options: ExecuteOptions, held: HeldByProcess, start: Start): Promise<void> {
  const { observe, conclude } = options;
  const { run, leave } = held;
  const { uuid, thread, logger } = run;
  const again = () => carryOut(options, held, { ...start, snapshot: null });
  const spending = options.outages.spendingOf(run);
  const pause = () => pauseWaiting(options, run);
  const money = await requireMoney(held, { spending, again, pause }).catch((error: unknown) =>
    leaveAfter(held, error),
  );
  if (money === 'paused') return;
  observe({ type: 'task-begin', task: toBoardTask(run), resumed: start.snapshot === null });
  let errorClass: string | null = null;
  try {
    const ending = await retryTransient(options, held, start).catch((error: unknown) => {
      if (error instanceof ThreadDeletedError) return toDeletedEnding(run);
      throw error;
    });
    if (ending === null) {
      await leave();
      logger.info({}, 'left task for next start');
      return;
    }
    errorClass = ending.outcome.errorClass ?? null;
    const { statistics } = ending.hearing;
    if (statistics !== null) logger.info(statistics, 'finished comment detection');
    if (ending.outcome.status !== 'needs_input') {
      observe({ type: 'delivery', uuid, begins: true });
      await thread.acknowledgements.settle();
      await conclude(held, await confirmEnding(run, { ending, signal: options.shutdown }));
      observe({ type: 'delivery', uuid, begins: false });
    }
    observe({ type: 'run-end', uuid, outcome: toShownOutcome(ending), errorClass });
  } catch (error) {
    if (error instanceof OpenEndError) observe({ type: 'run-end', uuid, outcome: error.status, errorClass });
    if (!(error instanceof ClaimLostError)) throw error;
    await options.withdraw(held, error);
    observe({ type: 'run-end', uuid, outcome: 'stopped', hasWithdrawn: true });
  } finally {
    thread.comments.close();
    await run.progress.leave(options.shutdown.aborted ? 'interrupted' : 'queued');
    observe({ type: 'task-leave', uuid });
    await thread.acknowledgements.settle();
  }
}

/** Null for a run that has delivered and watches its change request. */
function toShownOutcome({ outcome: { status, waitsFor } }: RunEnding): Outcome | null {
  return waitsFor?.kind === 'follow-up' ? null : status;
}

export function toBoardTask({ uuid, facts, thread: { platform } }: Run): BoardTask {
  return { uuid, name: nameRun(facts, platform.platform), title: facts.title, url: facts.url };
}

/**
 * Tries a few times what failed for a transient reason or was refused; the journal and the worktree keep what was done. Then the
 * run is deferred instead of being failed for an outage; a refusal that stays ends it, and is said as what it is. Null when a
 * shutdown came first.
 *
 * @throws DeferredError; OpenIntentError where an intent of the run is refused still
 */
async function retryTransient(
  options: ExecuteOptions,
  held: HeldByProcess,
  start: Start,
): Promise<RunEnding | null> {
  const { sleep, shutdown } = options;
  const again = { ...start, snapshot: null };
  for (const [attempt, waitMs] of [...waitsMs, null].entries()) {
    try {
      const next = attempt === 0 ? start : again;
      return await finishOrPause(options, held, { ...next, outlastsRefusals: waitMs !== null });
    } catch (error) {
      if (isDiskFull(error)) throw await deferUntilRoom(held, error);
      if (!isTransient(error) && !isRefused(error)) throw error;
      held.run.logger.warn({ err: error, attempt: attempt + 1 }, 'retrying after transient failure');
      if (shutdown.aborted) return null;
      if (await waitToRetry(error, { sleep, shutdown, waitMs })) continue;
      await held.leave();
      // What was refused has pauses that grow, and people are told of it.
      if (error instanceof OpenIntentError) throw error;
      throw new DeferredError(() => carryOut(options, held, again), { cause: error });
    }
  }
  return null;
}

/** Works until the run ends or is paused. If a pause cannot be saved, the run continues (RL-4). */
async function finishOrPause(
  options: ExecuteOptions,
  held: HeldByProcess,
  start: Start,
): Promise<RunEnding | null> {
  const { run, control } = held;
  const { signals, interruptions } = control;
  const attempted = await runAttempt(options, held, { ...start, signals, interruptions });
  const waiting = attempted && (await options.followUp.wait(run, attempted));
  const ending = attempted && waiting ? { ...attempted, outcome: waiting } : attempted;
  if (ending?.outcome.status !== 'needs_input') return ending;
  await run.thread.acknowledgements.settle();
  try {
    await options.pause(run, ending);
    return ending;
  } catch (error) {
    if (isTakenOver(error)) throw error;
    // All is done: there is nothing to continue with but the pause.
    if (['follow-up', 'held'].includes(ending.outcome.waitsFor?.kind ?? '')) {
      await held.leave();
      throw new DeferredError(() => carryOut(options, held, { ...start, snapshot: null }), { cause: error });
    }
    run.logger.error({ err: error }, 'failed to save pause; continuing run');
    await giveUpPause(run);
    return runAttempt(options, held, {
      ...start,
      snapshot: null,
      signals: withoutPause(signals),
      interruptions: { ...interruptions, requests: withoutPause(interruptions.requests) },
    });
  }
}

function withoutPause(signals: RunSignals): RunSignals {
  return {
    read: async (options) => {
      const signal = await signals.read(options);
      return signal === 'pause' ? 'none' : signal;
    },
  };
}

/** Null when a shutdown came first. */
async function runAttempt(
  options: ExecuteOptions,
  held: HeldByProcess,
  start: Start & Pick<RunControl, 'signals' | 'interruptions'>,
): Promise<RunEnding | null> {
  const { run, control } = held;
  const { isToldToStop } = control;
  const attempted = await options.attempt(run, { ...start, isToldToStop });
  control.requireThread();
  if (attempted.kind === 'interrupted') return null;
  if (attempted.kind === 'ended') {
    const stopCause = control.stopCause() ?? (await readStopCause(run.state));
    return { ...attempted.ending, stopCause };
  }
  const { waitsFor, reason } = attempted;
  const again = { ...start, snapshot: null };
  if (waitsFor === 'money') {
    const spending = options.outages.spendingOf(run);
    await requireMoney(held, { spending, again: () => carryOut(options, held, again) });
    await held.leave();
    throw new DeferredError(() => carryOut(options, held, again));
  }
  if (waitsFor === 'disk') throw await deferUntilRoom(held, new Error(reason));
  // The model is not waited for any longer: what the run is about to do is kept, as at a shutdown.
  run.logger.warn({ reason }, 'deferred run: waited too long for model');
  await held.leave();
  options.outages.giveUpModel();
  throw new DeferredError(() => carryOut(options, held, again));
}

/** Pauses a run that waits for money, before its next attempt. */
async function pauseWaiting({ pause }: Pick<ExecuteOptions, 'pause'>, run: Run): Promise<void> {
  const statistics = await readRunStatistics(run);
  await run.thread.acknowledgements.settle();
  await pause(run, { outcome: { status: 'needs_input', reason: null, finalText: null, statistics } });
}

/** Leaves a run that could not read its budgets. @throws the error */
async function leaveAfter({ run, leave }: HeldByProcess, error: unknown): Promise<never> {
  if (error instanceof DeferredError) throw error;
  run.thread.comments.close();
  await leave().catch((cause: unknown) =>
    run.logger.debug({ err: cause }, 'failed to record that the run was left'),
  );
  throw error;
}

/** Leaves a run that the disk takes nothing more from. Its journal is opened again once there is room. */
async function deferUntilRoom(
  { run: { logger }, leave }: HeldByProcess,
  cause: unknown,
): Promise<DeferredError> {
  logger.warn({ err: cause }, 'deferred run: disk is full');
  await leave().catch((error: unknown) =>
    logger.debug({ err: error }, 'failed to record that the run was left'),
  );
  return new DeferredError(null, { cause });
}

/** A thread that was deleted since the run last read it cannot show how the run ended: the run was stopped. */
async function confirmEnding(
  { thread }: Run,
  { ending, signal }: { readonly ending: RunEnding; readonly signal: AbortSignal },
): Promise<RunEnding> {
  if (ending.stopCause === 'deleted') return ending;
  // A thread that is only hidden from the agent keeps the end as it is.
  if (!(await isDeleted(thread.ports, { signal }).catch(() => false))) return ending;
  const stopped = { status: 'stopped', reason: null, errorClass: null, finalText: null } as const;
  return { ...ending, outcome: { ...ending.outcome, ...stopped }, stopCause: 'deleted' };
}

/** End of a run whose thread was deleted. */
async function toDeletedEnding(run: Run): Promise<RunEnding> {
  const statistics = await readRunStatistics(run);
  return {
    outcome: { status: 'stopped', reason: null, finalText: null, statistics },
    delivery: (await readFollowUp(run.state))?.delivery ?? nothingDelivered,
    hearing: noComments,
    stopCause: 'deleted',
    guard: null,
    readFile: null,
  };
}

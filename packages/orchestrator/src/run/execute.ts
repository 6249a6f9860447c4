import type { RunOutcome, RunResult, RunSignals } from '@agent/runner';
import type { TaskWorkspace } from '@agent/workspace';
import type { BoardTask } from '../board/board-event.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { postHistory } from '../past/post-inheritance.ts';
import { countCrashes } from '../pre-plan/count-crashes.ts';
import { concludeRun } from './conclude.ts';
import { confirmRepository, OtherRepositoryError } from './confirm-repository.ts';
import { nothingDelivered } from './deliver.ts';
import { deliverOrAsk } from './deliver-or-ask.ts';
import { deliverUnfinished } from './deliver-unfinished.ts';
import { toFailedEnding } from './fail-with.ts';
import type { Delivery } from './final-comment.ts';
import { finalCommentTexts } from './final-comment-texts.ts';
import { isTransient, retryAfterMsOf } from './is-passing.ts';
import { DeferredError } from './left-for-later.ts';
import { openRunInbox } from './open-run-inbox.ts';
import { pauseRun } from './pause.ts';
import { inheritMarks } from './retried-conversation.ts';
import type { ActiveRun, RunParts } from './run.ts';
import { runConversation } from './run-conversation.ts';
import type { RunEnding } from './run-ending.ts';
import { nameRun } from './run-facts.ts';
import type { Snapshot } from './snapshot.ts';
import { createTaskTools, type TaskTools } from './task-tools.ts';
import { toWorkspaceTask } from './to-workspace-task.ts';
import { waitForModel } from './wait-for-model.ts';

const waitsMs = [1_000, 4_000, 16_000];
const longestWaitMs = 60_000;

/** A run whose process died this often without a step in between is given up (RL-10). */
const maxCrashesInARow = 3;

/**
 * Carries a run from where its journal stands to its end: label, workspace, conversation, delivery, conclusion.
 * A shutdown leaves it in `running/`, for the next start to go on from.
 *
 * @throws ContextStoreError when the end cannot be written down; DeferredError when the platform cannot be reached now
 */
export async function executeRun(parts: RunParts, run: ActiveRun, snapshot: Snapshot | null): Promise<void> {
  // Once for each process: how far this one gets says nothing of those that died before it.
  const crashes = await countCrashes(run);
  return carryOut(parts, run, { snapshot, crashes });
}

interface Start {
  /** Null when the run goes on: then the thread is read again. */
  readonly snapshot: Snapshot | null;
  /** How many processes in a row died with the run and left it no further. */
  readonly crashes: number;
}

async function carryOut(parts: RunParts, run: ActiveRun, start: Start): Promise<void> {
  const { uuid } = run;
  parts.observe({ type: 'task-begin', task: toBoardTask(run), resumed: start.snapshot === null });
  try {
    const ending = await retryTransient(parts, run, start);
    if (ending === null) {
      await run.leave();
      run.logger.info({}, 'left for the next start');
      return;
    }
    const { statistics } = ending.hearing;
    if (statistics !== null) run.logger.info(statistics, 'how comments were heard');
    if (ending.outcome.status !== 'paused') await concludeRun(parts, run, ending);
    parts.observe({ type: 'run-end', uuid, status: ending.outcome.status });
  } finally {
    run.comments.close();
    parts.observe({ type: 'task-leave', uuid });
    await run.acknowledgements.settle();
  }
}

function toBoardTask({ uuid, facts, platform }: ActiveRun): BoardTask {
  return { uuid, name: nameRun(facts, platform.platform), title: facts.title, url: facts.url };
}

/**
 * Tries a few times what failed for a reason that passes; the journal and the worktree keep what was done. Then the
 * run is left for later instead of being failed for an outage.
 *
 * @throws DeferredError
 */
async function retryTransient(parts: RunParts, run: ActiveRun, start: Start): Promise<RunEnding | null> {
  const again = { ...start, snapshot: null };
  for (const [attempt, waitMs] of [...waitsMs, null].entries()) {
    try {
      return await finishOrPause(parts, run, attempt === 0 ? start : again);
    } catch (error) {
      if (!isTransient(error)) throw error;
      run.logger.warn({ err: error, attempt: attempt + 1 }, 'transient failure; retrying');
      if (parts.shutdown.aborted) return null;
      const wantedMs = Math.max(waitMs ?? 0, retryAfterMsOf(error));
      if (waitMs === null || wantedMs > longestWaitMs) {
        await run.leave();
        throw new DeferredError(() => carryOut(parts, run, again), { cause: error });
      }
      await parts.sleep(wantedMs, parts.shutdown);
    }
  }
  return null;
}

/** Works until the run ends or is paused. A pause that cannot be saved is none: then the run goes on (RL-4). */
async function finishOrPause(parts: RunParts, run: ActiveRun, start: Start): Promise<RunEnding | null> {
  const { signals } = run.control;
  const ending = await runAttempt(parts, run, { ...start, signals });
  if (ending?.outcome.status !== 'paused') return ending;
  try {
    await pauseRun(parts, run, ending.outcome);
    return ending;
  } catch (error) {
    run.logger.error({ err: error }, 'the pause could not be saved; the run goes on without one');
    return runAttempt(parts, run, { ...start, snapshot: null, signals: withoutPause(signals) });
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

/** Null when a shutdown came first. What goes wrong on the way is an ending too, with its reason for the thread. */
async function runAttempt(
  parts: RunParts,
  run: ActiveRun,
  start: Start & { readonly signals: RunSignals },
): Promise<RunEnding | null> {
  const { snapshot, crashes } = start;
  let result: RunResult | null = null;
  let tools: TaskTools | null = null;
  let ears: RunInbox | null = null;
  const wait = waitForModel(parts, run);
  try {
    const cloneUrl = await confirmRepository(run, { signal: parts.shutdown });
    if (crashes >= maxCrashesInARow) throw new Error(finalCommentTexts[run.facts.locale].crashed(crashes));
    const { trigger } = run.platform;
    const next = { state: 'processing', thread: snapshot?.thread, signal: parts.shutdown } as const;
    await trigger.setState(run.thread, next);
    const workspace = await openWorkspace(run, { cloneUrl, signal: parts.shutdown });
    await inheritMarks(parts, run);
    ears = await openRunInbox(parts, { ...run, showHistory: toHistoryTeller(parts, run) });
    tools = createTaskTools(parts, run, { workspace, nonce: ears.guard.nonce });
    let delivery = nothingDelivered;
    let wasAsked = false;
    for (let deliveredAfter = -1; ; ) {
      result = await runConversation(parts, run, { ...start, workspace, tools, ears, wait });
      if (result.kind === 'interrupted') return null;
      if (result.kind === 'deferred') throw await leaveForLater(parts, run, { start, reason: result.reason });
      const { outcome } = result;
      if (outcome.status === 'failed')
        return await endFailed(parts, run, { outcome, workspace, ears, delivery });
      const { modelCalls } = outcome.statistics;
      // After a delivery the thread is looked at once more: an answer to what came meanwhile is delivered too (B21).
      const isDelivered = outcome.status !== 'completed' || modelCalls === deliveredAfter;
      if (isDelivered) return { outcome, delivery, hearing: ears.summarize(), guard: ears.guard };
      const delivered = await deliverOrAsk(run, { workspace, outcome, wasAsked });
      wasAsked ||= delivered === null;
      if (delivered === null) continue;
      delivery = delivered;
      deliveredAfter = modelCalls;
    }
  } catch (error) {
    if (parts.shutdown.aborted && error === parts.shutdown.reason) return null;
    if (isTransient(error) || error instanceof DeferredError || error instanceof OtherRepositoryError)
      throw error;
    return toFailedEnding(error, { parts, run, ears, result });
  } finally {
    await wait.settle();
    await tools?.close();
  }
}

/** What a run that failed has done is not thrown away: it is pushed, and the comment links it. */
async function endFailed(
  parts: RunParts,
  run: ActiveRun,
  work: {
    readonly outcome: RunOutcome;
    readonly workspace: TaskWorkspace | null;
    readonly ears: RunInbox;
    /** What it delivered before. */
    readonly delivery: Delivery;
  },
): Promise<RunEnding> {
  const { outcome, workspace, ears } = work;
  const nothing = { delivery: nothingDelivered, problem: null };
  const { delivery: pushed, problem } =
    workspace === null ? nothing : await deliverUnfinished(parts, run, workspace);
  const { notPushed } = finalCommentTexts[run.facts.locale];
  const reason = problem === null ? outcome.reason : `${outcome.reason ?? ''}\n\n${notPushed(problem)}`;
  const delivery = pushed.commit === null ? work.delivery : pushed;
  return { outcome: { ...outcome, reason }, delivery, hearing: ears.summarize(), guard: ears.guard };
}

/** The model is not waited for any longer: what the run is about to do is kept, as at a shutdown. */
async function leaveForLater(
  parts: RunParts,
  run: ActiveRun,
  { start, reason }: { readonly start: Start; readonly reason: string },
): Promise<DeferredError> {
  run.logger.warn({ reason }, 'the run waits for its model no longer and is left for later');
  await run.leave();
  parts.modelWatch.giveUp();
  return new DeferredError(() => carryOut(parts, run, { ...start, snapshot: null }));
}

/** Null for a run without a repository. */
async function openWorkspace(
  run: ActiveRun,
  { cloneUrl, signal }: { readonly cloneUrl: string | null; readonly signal: AbortSignal },
): Promise<TaskWorkspace | null> {
  const task = toWorkspaceTask(run);
  if (task === null) return null;
  return run.platform.workspaces.open({ ...task, cloneUrl: cloneUrl ?? task.cloneUrl }, { signal });
}

function toHistoryTeller(
  parts: RunParts,
  run: ActiveRun,
): ((commentId: string) => Promise<void>) | undefined {
  return parts.earlierRuns === null ? undefined : (commentId) => postHistory(parts, run, commentId);
}

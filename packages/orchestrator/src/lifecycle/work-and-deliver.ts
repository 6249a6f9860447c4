import type { RunOutcome, RunResult, RunSignals } from '@agent/runner';
import type { CommandPlace, KeepWork, OpenedWorkspace, TaskWorkspace } from '@agent/workspace';
import type { Deliver } from '../delivery/deliver.ts';
import type { RunChecks } from '../delivery/hold-changes.ts';
import { nothingDelivered } from '../delivery/push-work.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { keepStoppedWork } from '../inheritance/kept-work.ts';
import type { ModelWait } from '../models/watch-model.ts';
import { isDone } from '../outcome/outcome.ts';
import { createTreeReader } from '../past/read-tree-file.ts';
import { runTexts } from '../report/texts.ts';
import { findCommandOf } from '../run/interrupt-run.ts';
import type { Run } from '../run/run.ts';
import type { Attempted, Delivery, JudgedOutcome } from '../run/run-ending.ts';
import type { Snapshot } from '../run/run-thread.ts';
import type { TaskTools } from '../tools/task-tools.ts';
import type { Converse } from './converse.ts';
import type { JudgeRun } from './judge-run.ts';

/** Work of one attempt, once its files and tools are prepared. */
export interface Work {
  readonly snapshot: Snapshot | null;
  readonly signals: RunSignals;
  /** Null for a run without a repository. */
  readonly workspace: (TaskWorkspace & Pick<OpenedWorkspace, 'outgoing'>) | null;
  readonly tools: TaskTools;
  readonly runInbox: RunInbox;
  readonly wait: ModelWait;
  readonly notice: string | null;
  readonly keepWork: KeepWork | null;
  readonly place: CommandPlace | null;
  readonly runChecks: RunChecks;
  /** Aborted by a command or a shutdown. */
  readonly signal: AbortSignal;
  /** End of the conversation; null before it. */
  readonly end: { result: RunResult | null };
}

export interface WorkServices {
  readonly converse: Converse;
  readonly deliver: Deliver;
  readonly judge: JudgeRun;
}

/**
 * Continues the conversation of a run to its end, and delivers the changes. A command during a delivery aborts the delivery: its
 * entries stay open.
 */
export async function workAndDeliver(
  { converse, deliver, judge }: WorkServices,
  run: Run,
  { end, notice, ...work }: Work,
): Promise<Attempted> {
  const { workspace, runInbox, signal } = work;
  let delivery = nothingDelivered;
  let wasAsked = false;
  let untold = notice;
  // Limits how often comments delay the end of the run: later comments begin the next run.
  const finishRounds = { rounds: 0 };
  for (let deliveredAfter = -1; ; ) {
    const result = await converse(run, { ...work, notice: untold, finishRounds });
    run.recordCheck.requireOwned();
    untold = null;
    end.result = result;
    if (result.kind !== 'ended') return result;
    const { outcome } = result;
    if (outcome.status === 'failed')
      return await endFailed(deliver, run, { outcome, workspace, runInbox, signal, delivered: delivery });
    const { modelCalls } = outcome.statistics;
    // After a delivery the thread is polled again: an answer to comments that arrived during the delivery is delivered too (B21).
    const isDelivered = !isDone(outcome.status) || modelCalls === deliveredAfter;
    if (outcome.status === 'stopped' && workspace !== null) await keepStoppedWork(run, workspace);
    if (isDelivered) {
      const judged = await judge(run, { outcome, delivery });
      return deliver.wait(run, await toEnded(judged, { delivery, runInbox, workspace }));
    }
    const { runChecks } = work;
    const delivered: Delivery | 'interrupted' | null = await deliver
      .deliverOrAsk(run, { workspace, outcome, wasAsked, runChecks, signal })
      .catch((error: unknown) => {
        if (findCommandOf(error, signal) === null) throw error;
        return 'interrupted' as const;
      });
    // The conversation ends as the command says.
    if (delivered === 'interrupted') continue;
    wasAsked ||= delivered === null;
    if (delivered === null) continue;
    delivery = delivered;
    deliveredAfter = modelCalls;
  }
}

export interface EndedWork {
  readonly delivery: Delivery;
  readonly runInbox: RunInbox;
  readonly workspace: TaskWorkspace | null;
}

/** Ends an attempt with a summary of the comments that arrived. */
export async function toEnded(
  outcome: JudgedOutcome,
  { delivery, runInbox, workspace }: EndedWork,
): Promise<Attempted> {
  const hearing = await runInbox.summarize();
  const readFile = workspace && createTreeReader(workspace.path);
  return { kind: 'ended', ending: { outcome, delivery, hearing, guard: runInbox.guard, readFile } };
}

/** Pushes the changes of a failed run, so that they are not lost; the comment links the branch. */
async function endFailed(
  { deliverUnfinished }: Deliver,
  run: Run,
  work: {
    readonly outcome: RunOutcome;
    readonly workspace: TaskWorkspace | null;
    readonly runInbox: RunInbox;
    readonly signal: AbortSignal;
    readonly delivered: Delivery;
  },
): Promise<Attempted> {
  const { outcome, workspace, runInbox, signal, delivered } = work;
  const nothing = { delivery: nothingDelivered, problem: null };
  const { delivery: pushed, problem } =
    workspace === null ? nothing : await deliverUnfinished(run, { workspace, signal });
  const { notPushed } = runTexts[run.facts.locale];
  const reason = problem === null ? outcome.reason : `${outcome.reason ?? ''}\n\n${notPushed(problem)}`;
  return toEnded(
    { ...outcome, reason },
    {
      delivery: pushed.commit === null ? delivered : pushed,
      runInbox,
      workspace,
    },
  );
}

import type { RunOutcome, RunResult, RunSignals } from '@agent/runner';
import type { CommandPlace, KeepWork, OpenedWorkspace, SnapshotStore, TaskWorkspace } from '@agent/workspace';
import type { PrepareCommands, PreparedCommands } from '../environment/prepare-commands.ts';
import type { FollowUp } from '../follow-up/create-follow-up.ts';
import type { RunChecks } from '../held/hold-changes.ts';
import { keepNamedPaths } from '../held/named-paths.ts';
import { createRunChecks } from '../held/run-checks.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import type { DoIntent } from '../outbox/do-intent.ts';
import { toOpenIntent } from '../outbox/intents.ts';
import { showProcessing } from '../outbox/perform-entry.ts';
import type { JudgeRun } from '../outcome/judge-run.ts';
import { isDone } from '../outcome/outcome.ts';
import { keepStoppedWork } from '../past/kept-work.ts';
import { createTreeReader } from '../past/read-tree-file.ts';
import type { Delivery } from '../report/final-comment.ts';
import { runTexts } from '../report/texts.ts';
import type { OpenCommentTools } from '../thread/open-comment-tools.ts';
import type { OpenTaskTools, TaskTools } from '../tools/task-tools.ts';
import { isDiskFull, isForbidden, isRefused, isTransient, OpenIntentError } from './call-with-retry.ts';
import type { Converse } from './converse.ts';
import { type Deliver, nothingDelivered } from './deliver.ts';
import { toFailedEnding } from './failed-ending.ts';
import { tellLoss, tellMove } from './moved-work.ts';
import { confirmRepository, OtherRepositoryError, type Run, requireThread, toWorkspaceTask } from './run.ts';
import { ClaimLostError } from './run-claim.ts';
import type { Attempted, JudgedOutcome } from './run-ending.ts';
import { isTakenOver } from './run-takeover.ts';
import type { Snapshot } from './run-thread.ts';
import type { ModelWait } from './watch-model.ts';
import { ThreadDeletedError } from './watch-thread.ts';

/** A run whose process died this often without a step in between is given up (RL-10). */
const maxCrashesInARow = 3;

export interface AttemptOptions {
  readonly openRunInbox: (run: Run) => Promise<RunInbox>;
  readonly prepareCommands: PrepareCommands;
  readonly openTools: OpenTaskTools;
  readonly openCommentTools: OpenCommentTools;
  readonly waitForModel: (run: Run) => ModelWait;
  readonly converse: Converse;
  readonly deliver: Deliver;
  readonly judge: JudgeRun;
  readonly followUp: Pick<FollowUp, 'enter' | 'openTools'>;
  readonly doIntent: DoIntent;
  readonly redactOutgoing: (text: string) => string;
  /** Keeps the work on files where other machines find it. Default none: runs stay on this one. */
  readonly snapshots?: SnapshotStore | undefined;
  readonly shutdown: AbortSignal;
}

export interface AttemptStart {
  /** Null when the run goes on: then the thread is read again. */
  readonly snapshot: Snapshot | null;
  /** Number of processes in a row that died with the run and left it no further. */
  readonly crashes: number;
  readonly signals: RunSignals;
  /** Asked before the run is shown to be at work: one that is to stop needs no such sign, and may be refused it. */
  readonly isToldToStop: () => Promise<boolean>;
  /** False where a refusal is to end the run; else it is thrown, to be tried again. */
  readonly outlastsRefusals: boolean;
}

/** Rejects with what is transient, and where another repository has taken the place of the run's. */
export type RunAttempt = (run: Run, start: AttemptStart) => Promise<Attempted>;

/**
 * Creates what works on a run once: state, workspace, conversation, delivery. What goes wrong on the way is an ending too, with its
 * reason for the thread.
 */
export function createAttempt(options: AttemptOptions): RunAttempt {
  const { openRunInbox, prepareCommands, openTools, waitForModel, converse, deliver, judge } = options;
  const { doIntent, redactOutgoing, shutdown: signal } = options;
  return async (run, { snapshot, crashes, signals, isToldToStop, outlastsRefusals }) => {
    const { facts } = run;
    const end: { result: RunResult | null } = { result: null };
    let commands: PreparedCommands | null = null;
    let tools: TaskTools | null = null;
    let ears: RunInbox | null = null;
    const wait = waitForModel(run);
    try {
      const { cloneUrl = null } = (await confirmRepository(run, { signal })) ?? {};
      if (snapshot === null) await requireThread(facts, { ports: run.thread.ports, signal });
      const isStopped = await isToldToStop();
      // A run that a user stopped has more attempts: it ends as stopped.
      if (crashes >= (isStopped ? 2 : 1) * maxCrashesInARow) {
        // Its report names what came meanwhile.
        ears = await openRunInbox(run);
        throw new Error(runTexts[facts.locale].crashed(crashes));
      }
      await run.claim.hold({ begins: snapshot !== null, signal }).catch((error: unknown) => {
        // A run that is to stop does nothing for which it needs the thread.
        if (!isStopped || !(error instanceof OpenIntentError)) throw error;
      });
      await settleHolds(run.outbox);
      run.progress.begin({ isTakenUp: snapshot === null });
      const loss = await tellLoss(run, { signal });
      const hear = async () => {
        ears ??= await openRunInbox(run);
        return ears;
      };
      const watched = await options.followUp.enter(run, { isToldToStop: isStopped, hear });
      if (watched !== null)
        return await toEnded(watched.outcome, {
          delivery: watched.delivery,
          ears: await hear(),
          workspace: null,
        });
      if (!isStopped) await showProcessing(run, { thread: snapshot?.thread, signal, doIntent });
      await run.thread.acknowledgements.begin();
      const { snapshots } = options;
      const workspace = await openWorkspace(run, { cloneUrl, snapshots, signal });
      const move = workspace && (await tellMove(run, workspace, { signal }));
      const { guard } = await hear();
      const { nonce } = guard;
      commands = workspace && (await prepareCommands(run, { workspace, snapshot, nonce, signals, signal }));
      const notice = [loss, move, commands?.notice ?? null].filter((text) => text !== null).join('\n\n');
      const files = workspace && commands && { workspace, commands };
      const comments = await options.openCommentTools(run, { guard, snapshot, signal });
      const round = await options.followUp.openTools(run);
      tools = openTools(run, { files, nonce, comments, round });
      if (snapshot !== null) await keepNamedPaths(run, snapshot, await hear());
      return await workAndDeliver({ converse, deliver, judge }, run, {
        snapshot,
        signals,
        workspace,
        tools,
        ears: await hear(),
        wait,
        notice: notice === '' ? null : notice,
        keepWork: workspace?.keep ?? null,
        place: commands?.place ?? null,
        runChecks: createRunChecks(run, commands),
        end,
      });
    } catch (error) {
      if (signal.aborted && error === signal.reason) return { kind: 'interrupted' };
      run.recordCheck.requireOwned();
      const isOutlasted =
        isTransient(error) || error instanceof OpenIntentError || (outlastsRefusals && isRefused(error));
      if (isOutlasted || isDiskFull(error) || leavesThread(error)) throw error;
      const reason = isForbidden(error) ? await keepRefused(doIntent, run, error) : error;
      if (reason instanceof OpenIntentError) throw reason;
      const failed = await toFailedEnding(reason, { redactOutgoing, run, ears, result: end.result });
      return { kind: 'ended', ending: failed };
    } finally {
      await wait.settle();
      await tools?.close();
      await commands?.place.close();
    }
  };
}

/** An entry for what the platform or git refused to show is done once the thread is read and held. */
async function settleHolds(outbox: Run['outbox']): Promise<void> {
  for (const { id, kind, state } of await outbox.list())
    if ((kind === 'hold' || kind === 'access') && state === 'open')
      await outbox.settle(id, { state: 'done', made: {} });
}

/**
 * Opens an entry for access that was refused again and again: a lock, a single sign-on or an address rule may last for hours. It is
 * asked again with growing pauses, a comment on the thread gives the reason, and the seven-day limit applies.
 *
 * @returns OpenIntentError, or GivenUpError once that is over
 */
async function keepRefused(doIntent: DoIntent, run: Run, error: unknown): Promise<unknown> {
  const intent = toOpenIntent('access', await run.outbox.list());
  const perform = () => Promise.reject(error);
  return doIntent(run, { intent, perform }).catch((refused: unknown) => refused);
}

/** The run has no part in its thread any more, or this process none in the run: it tells it nothing. */
function leavesThread(error: unknown): boolean {
  const kinds = [OtherRepositoryError, ClaimLostError, ThreadDeletedError];
  return kinds.some((kind) => error instanceof kind) || isTakenOver(error);
}

interface Work {
  readonly snapshot: Snapshot | null;
  readonly signals: RunSignals;
  /** Null for a run without a repository. */
  readonly workspace: (TaskWorkspace & Pick<OpenedWorkspace, 'outgoing'>) | null;
  readonly tools: TaskTools;
  readonly ears: RunInbox;
  readonly wait: ModelWait;
  readonly notice: string | null;
  readonly keepWork: KeepWork | null;
  readonly place: CommandPlace | null;
  readonly runChecks: RunChecks;
  /** End of the conversation; null before it. */
  readonly end: { result: RunResult | null };
}

async function workAndDeliver(
  { converse, deliver, judge }: Pick<AttemptOptions, 'converse' | 'deliver' | 'judge'>,
  run: Run,
  { end, notice, ...work }: Work,
): Promise<Attempted> {
  const { workspace, ears } = work;
  let delivery = nothingDelivered;
  let wasAsked = false;
  let untold = notice;
  // Who speaks at every answer does not keep the run from its end: what comes after some rounds opens the next one.
  const finishRounds = { rounds: 0 };
  for (let deliveredAfter = -1; ; ) {
    const result = await converse(run, { ...work, notice: untold, finishRounds });
    run.recordCheck.requireOwned();
    untold = null;
    end.result = result;
    if (result.kind !== 'ended') return result;
    const { outcome } = result;
    if (outcome.status === 'failed')
      return await endFailed(deliver, run, { outcome, workspace, ears, delivered: delivery });
    const { modelCalls } = outcome.statistics;
    // After a delivery the thread is looked at once more: an answer to what came meanwhile is delivered too (B21).
    const isDelivered = !isDone(outcome.status) || modelCalls === deliveredAfter;
    if (outcome.status === 'stopped' && workspace !== null) await keepStoppedWork(run, workspace);
    if (isDelivered) {
      const judged = await judge(run, { outcome, delivery });
      return deliver.wait(run, await toEnded(judged, { delivery, ears, workspace }));
    }
    const { runChecks } = work;
    const delivered = await deliver.deliverOrAsk(run, { workspace, outcome, wasAsked, runChecks });
    wasAsked ||= delivered === null;
    if (delivered === null) continue;
    delivery = delivered;
    deliveredAfter = modelCalls;
  }
}

interface EndedWork {
  readonly delivery: Delivery;
  readonly ears: RunInbox;
  readonly workspace: TaskWorkspace | null;
}

async function toEnded(outcome: JudgedOutcome, { delivery, ears, workspace }: EndedWork): Promise<Attempted> {
  const hearing = await ears.summarize();
  const readFile = workspace && createTreeReader(workspace.path);
  return { kind: 'ended', ending: { outcome, delivery, hearing, guard: ears.guard, readFile } };
}

/** Pushes what a run that failed has done, so that it is not thrown away; the comment links it. */
async function endFailed(
  { deliverUnfinished }: Deliver,
  run: Run,
  work: {
    readonly outcome: RunOutcome;
    readonly workspace: TaskWorkspace | null;
    readonly ears: RunInbox;
    readonly delivered: Delivery;
  },
): Promise<Attempted> {
  const { outcome, workspace, ears, delivered } = work;
  const nothing = { delivery: nothingDelivered, problem: null };
  const { delivery: pushed, problem } =
    workspace === null ? nothing : await deliverUnfinished(run, workspace);
  const { notPushed } = runTexts[run.facts.locale];
  const reason = problem === null ? outcome.reason : `${outcome.reason ?? ''}\n\n${notPushed(problem)}`;
  return toEnded(
    { ...outcome, reason },
    {
      delivery: pushed.commit === null ? delivered : pushed,
      ears,
      workspace,
    },
  );
}

interface WorkspaceCall {
  readonly cloneUrl: string | null;
  readonly snapshots: SnapshotStore | undefined;
  readonly signal: AbortSignal;
}

/** Null for a run without a repository. */
async function openWorkspace(
  run: Run,
  { cloneUrl, ...call }: WorkspaceCall,
): Promise<OpenedWorkspace | null> {
  const task = toWorkspaceTask(run);
  if (task === null) return null;
  const { workspaces } = run.thread.platform;
  return workspaces.open({ ...task, cloneUrl: cloneUrl ?? task.cloneUrl }, call);
}

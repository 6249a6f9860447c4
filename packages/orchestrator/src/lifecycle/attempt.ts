import { performance } from 'node:perf_hooks';
import type { RunResult, RunSignals } from '@agent/runner';
import type { OpenedWorkspace, SnapshotStore } from '@agent/workspace';
import type { OpenCommentTools } from '../conversation/open-comment-tools.ts';
import { keepNamedPaths } from '../delivery/named-paths.ts';
import { nothingDelivered } from '../delivery/push-work.ts';
import { createRunChecks } from '../delivery/run-checks.ts';
import type { PrepareCommands, PreparedCommands } from '../environment/prepare-commands.ts';
import type { FollowUp } from '../follow-up/create-follow-up.ts';
import { readFollowUp } from '../follow-up/follow-up-record.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { keepStoppedWork } from '../inheritance/kept-work.ts';
import {
  isDiskFull,
  isForbidden,
  isRefused,
  isTransient,
  OpenIntentError,
} from '../intents/call-with-retry.ts';
import type { DoIntent } from '../intents/do-intent.ts';
import { toOpenIntent } from '../intents/intents.ts';
import type { ModelWait } from '../models/watch-model.ts';
import { showProcessing } from '../outbox/perform-entry.ts';
import { runTexts } from '../report/texts.ts';
import {
  findCommandOf,
  type InterruptionSources,
  isAbortedBy,
  type PreparationListener,
  RunInterrupter,
} from '../run/interrupt-run.ts';
import {
  confirmRepository,
  OtherRepositoryError,
  type Run,
  requireThread,
  toWorkspaceTask,
} from '../run/run.ts';
import { ClaimLostError } from '../run/run-claim.ts';
import { type Attempted, readRunStatistics } from '../run/run-ending.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { Snapshot } from '../run/run-thread.ts';
import { ThreadDeletedError } from '../run/watch-thread.ts';
import type { OpenTaskTools, TaskTools } from '../tools/task-tools.ts';
import { toFailedEnding } from './failed-ending.ts';
import { tellLoss, tellMove } from './moved-work.ts';
import { toEnded, type WorkServices, workAndDeliver } from './work-and-deliver.ts';

/** Number of crashes in a row without a step in between after which a run fails (RL-10). */
const maxCrashesInARow = 3;

export interface AttemptOptions extends WorkServices {
  /** Milliseconds on a clock that never goes back. Default `performance.now`. */
  readonly monotonicNow?: (() => number) | undefined;
  readonly openRunInbox: (run: Run) => Promise<RunInbox>;
  /** Opens the listener that polls the thread until the inbox of the run does. `snapshot`: comments that the run begins with; their commands are not applied. */
  readonly openListener: (run: Run, snapshot: Snapshot | null) => Promise<PreparationListener>;
  readonly prepareCommands: PrepareCommands;
  readonly openTools: OpenTaskTools;
  readonly openCommentTools: OpenCommentTools;
  readonly waitForModel: (run: Run) => ModelWait;
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
  /** Number of processes in a row that crashed during the run and made no progress. */
  readonly crashes: number;
  readonly signals: RunSignals;
  /** What interrupts the run in the middle of a step. */
  readonly interruptions: InterruptionSources;
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
  const { doIntent, redactOutgoing, shutdown, monotonicNow = () => performance.now() } = options;
  return async (run, { snapshot, crashes, signals, interruptions, isToldToStop, outlastsRefusals }) => {
    const { facts } = run;
    // A run that is stopped before its attempt begins is not interrupted: its files are read for the next run.
    let mayInterrupt = false;
    const { requests } = interruptions;
    const interrupter = new RunInterrupter({
      ...interruptions,
      requests: { read: async (call) => (mayInterrupt ? requests.read(call) : 'none') },
      openListener: () => options.openListener(run, snapshot),
      shutdown,
      monotonicNow,
      logger: run.logger,
    });
    const { signal } = interrupter;
    const end: { result: RunResult | null } = { result: null };
    let workspace: OpenedWorkspace | null = null;
    let commands: PreparedCommands | null = null;
    let tools: TaskTools | null = null;
    let runInbox: RunInbox | null = null;
    const wait = waitForModel(run);
    const openInbox = async () => {
      runInbox ??= interrupter.use(await openRunInbox(run));
      return runInbox;
    };
    try {
      const { cloneUrl = null } = (await confirmRepository(run, { signal })) ?? {};
      if (snapshot === null) await requireThread(facts, { ports: run.thread.ports, signal });
      const isStopped = await isToldToStop();
      mayInterrupt = !isStopped;
      // A run that a user stopped has more attempts: it ends as stopped.
      if (crashes >= (isStopped ? 2 : 1) * maxCrashesInARow) {
        // Its report names the comments of that time.
        runInbox = await openRunInbox(run);
        throw new CrashedError(runTexts[facts.locale].crashed(crashes));
      }
      await run.claim.hold({ begins: snapshot !== null, signal: shutdown }).catch((error: unknown) => {
        // A run that is to stop does nothing for which it needs the thread.
        if (!isStopped || !(error instanceof OpenIntentError)) throw error;
      });
      await settleHolds(run.outbox);
      run.progress.begin({ isTakenUp: snapshot === null });
      const loss = await tellLoss(run, { signal: shutdown });
      const watched = await options.followUp.enter(run, { isToldToStop: isStopped, hear: openInbox });
      if (watched !== null)
        return await toEnded(watched.outcome, {
          delivery: watched.delivery,
          runInbox: await openInbox(),
          workspace: null,
        });
      if (!isStopped) await showProcessing(run, { thread: snapshot?.thread, signal: shutdown, doIntent });
      await run.thread.acknowledgements.begin();
      const { snapshots } = options;
      workspace = await openWorkspace(run, { cloneUrl, snapshots, signal });
      const move = workspace && (await tellMove(run, workspace, { signal: shutdown }));
      const { guard } = await openInbox();
      const { nonce } = guard;
      commands = workspace && (await prepareCommands(run, { workspace, nonce, signals, signal }));
      const notice = [loss, move, commands?.notice ?? null].filter((text) => text !== null).join('\n\n');
      const files = workspace && commands && { workspace, commands };
      const comments = await options.openCommentTools(run, { guard, snapshot, signal });
      const round = await options.followUp.openTools(run);
      tools = openTools(run, { files, nonce, comments, round });
      if (snapshot !== null) await keepNamedPaths(run, snapshot, await openInbox());
      return await workAndDeliver({ converse, deliver, judge }, run, {
        snapshot,
        signals,
        workspace,
        tools,
        runInbox: await openInbox(),
        wait,
        notice: notice === '' ? null : notice,
        keepWork: workspace?.keep ?? null,
        place: commands?.place ?? null,
        runChecks: createRunChecks(run, commands),
        ...{ signal, end },
      });
    } catch (error) {
      if (isAbortedBy(shutdown, error)) return { kind: 'interrupted' };
      run.recordCheck.requireOwned();
      const command = findCommandOf(error, signal);
      if (command !== null)
        return await endInterrupted(run, { command, runInbox: await openInbox(), workspace });
      const isOutlasted =
        isTransient(error) || error instanceof OpenIntentError || (outlastsRefusals && isRefused(error));
      if (isOutlasted || isDiskFull(error) || leavesThread(error)) throw error;
      const reason = isForbidden(error) ? await keepRefused(doIntent, run, error) : error;
      if (reason instanceof OpenIntentError) throw reason;
      const failed = await toFailedEnding(reason, { redactOutgoing, run, runInbox, result: end.result });
      return { kind: 'ended', ending: failed };
    } finally {
      await interrupter.close();
      await wait.settle();
      await tools?.close();
      await commands?.place.close();
    }
  };
}

/** Ends a run whose processes crashed again and again. */
class CrashedError extends Error {
  override readonly name = 'CrashedError';
}

interface InterruptedAttempt {
  readonly command: 'pause' | 'stop';
  readonly runInbox: RunInbox;
  /** Null without a repository, and if the command interrupted the opening: the worktree and its snapshot stay as they were. */
  readonly workspace: OpenedWorkspace | null;
}

/** Ends an attempt that a command interrupted before its conversation. */
async function endInterrupted(
  run: Run,
  { command, runInbox, workspace }: InterruptedAttempt,
): Promise<Attempted> {
  if (command === 'stop' && workspace !== null) await keepStoppedWork(run, workspace);
  const status = command === 'pause' ? 'needs_input' : 'stopped';
  const outcome = {
    status,
    reason: null,
    finalText: null,
    statistics: await readRunStatistics(run),
  } as const;
  const delivery = (await readFollowUp(run.state))?.delivery ?? nothingDelivered;
  return toEnded(outcome, { delivery, runInbox, workspace });
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

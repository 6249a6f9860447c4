import type { NewIntent, PausedRuns, RestingRuns, RunControls, TaskState } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import { nothingDelivered } from '../delivery/push-work.ts';
import { readFollowUp } from '../follow-up/follow-up-record.ts';
import { readHeld } from '../held/held-record.ts';
import { noComments } from '../inbox/delivered-comments.ts';
import type { Waiting } from '../intents/call-with-retry.ts';
import { giveUp } from '../intents/give-up.ts';
import { findTaken, isOfPause, isOfRest, listPauseIntents, listWatchIntents } from '../intents/intents.ts';
import type { OpenEntry, SettleRun } from '../outbox/settle-run.ts';
import type { UnsettledRuns } from '../outbox/unsettled-runs.ts';
import { toPlanningStateJson } from '../planning/to-planning-state.ts';
import type { ComposeFinalComment } from '../report/compose-final-comment.ts';
import type { Run } from '../run/run.ts';
import { type JudgedOutcome, readRunStatistics } from '../run/run-ending.ts';
import { nameRun } from '../run/run-facts.ts';
import { commitPause } from '../run/run-record.ts';
import type { AuditLog } from '../state/audit-log.ts';
import { readWait } from '../state/waits.ts';
import { settleInSeconds } from './conclude.ts';

export interface PauseOptions extends Waiting {
  readonly store: Pick<PausedRuns<ModelMessage>, 'commitPause' | 'pause'> &
    Pick<RestingRuns<ModelMessage>, 'openOutbox'>;
  readonly controls: Pick<RunControls, 'remove' | 'list'>;
  readonly audit: Pick<AuditLog, 'list'>;
  readonly composeFinalComment: ComposeFinalComment;
  readonly tellsInStatus: TellsInStatus;
  readonly settle: SettleRun;
  readonly unsettled: Pick<UnsettledRuns, 'keep'>;
}

/** Tells whether the status comment of a run alone says that it pauses or goes on; else comments of their own do. */
export type TellsInStatus = (run: Pick<Run, 'claim'>) => boolean;

/** `left`: a pause that an earlier process committed; then the journal tells of the rest. */
export type PauseRun = (
  run: Run,
  paused: { readonly outcome: JudgedOutcome } | { readonly left: Pick<TaskState, 'planningState'> },
) => Promise<void>;

/**
 * Creates what pauses a run: first its state is committed, then comment and state are shown on the thread, then the directory moves to
 * paused/. A crash in between is made up for at the next start. What the platform does not take in seconds stays open, and is tried
 * again while the run waits (RL-4).
 *
 * @throws ContextStoreError when the state cannot be saved: the run is not paused and goes on
 */
export function createPause(options: PauseOptions): PauseRun {
  const { store, controls, settle, unsettled } = options;
  const show = async (run: Run, outcome: JudgedOutcome, count: number): Promise<readonly OpenEntry[]> => {
    for (const intent of await listIntents(run, { ...options, outcome, count }))
      await run.outbox.open(intent);
    return settleInSeconds(options, run, isOfRest);
  };
  return async (run, paused) => {
    const { uuid, logger } = run;
    const outcome = 'outcome' in paused ? paused.outcome : await readPausedOutcome(run, paused.left);
    const { modelCalls: llmCalls } = outcome.statistics;
    const pausedBy = outcome.waitsFor === undefined ? await findPauser(options, run) : null;
    const planningState = await toPlanningStateJson(run, { waitsFor: outcome.waitsFor, pausedBy, llmCalls });
    // Asked of a run at work, or left by a process that died as it resumed this one: no answer to what it waits for now.
    if ('outcome' in paused && outcome.waitsFor !== undefined) await controls.remove(uuid, ['resume']);
    let open: readonly OpenEntry[] = [];
    const { resumeCount } = await commitPause(store, {
      uuid,
      planningState,
      show: async (count) => {
        open = await show(run, outcome, count);
      },
    });
    logger.info({ resumeCount }, 'paused task');
    if (open.length === 0) return;
    const name = nameRun(run.facts, run.thread.platform.platform);
    const again = () => settle({ ...run, outbox: store.openOutbox(uuid) }, isOfRest);
    unsettled.keep({ uuid, name, open, again });
  };
}

/** Finds the user who paused a run, by the request or, for the command line, by the audit log; null if it is unknown. */
async function findPauser(
  { controls, audit }: Pick<PauseOptions, 'controls' | 'audit'>,
  { uuid, logger }: Pick<Run, 'uuid' | 'logger'>,
): Promise<string | null> {
  try {
    const requests = (await controls.list()).filter((one) => one.uuid === uuid && one.verb === 'pause');
    if (requests.length === 0) return null;
    const acts = await audit.list({ limit: 20, run: uuid });
    const act = acts.find(({ action, outcome }) => action === 'pause' && outcome !== 'refused');
    return requests[0]?.by ?? (act?.actor || null);
  } catch (err) {
    logger.warn({ err }, 'failed to read who paused the run');
    return null;
  }
}

async function listIntents(
  run: Run,
  paused: Pick<PauseOptions, 'composeFinalComment' | 'tellsInStatus'> & {
    readonly outcome: JudgedOutcome;
    readonly count: number;
  },
): Promise<readonly NewIntent[]> {
  const { outcome, count, composeFinalComment, tellsInStatus } = paused;
  const common = { uuid: run.uuid, count, position: run.position() };
  const followUp = outcome.waitsFor?.kind === 'follow-up' ? await readFollowUp(run.state) : null;
  if (followUp !== null) {
    const takes = findTaken(await run.outbox.list(), run.facts.handover?.at ?? null);
    return listWatchIntents({ ...common, outcome: followUp.outcome, body: followUp.comment, takes });
  }
  if (outcome.waitsFor?.kind === 'held') {
    const { comment: body } = await readHeld(run.state);
    return listPauseIntents({ ...common, body, topic: `run:${run.uuid}:held` });
  }
  const shown = { outcome, delivery: nothingDelivered, hearing: noComments, stopCause: null };
  // Who was asked something reads in the question that the run waits.
  const isTold = outcome.waitsFor !== undefined || tellsInStatus(run);
  const body = isTold ? null : await composeFinalComment(run, shown);
  return listPauseIntents({ ...common, body });
}

/** Gives up what a pause still wanted shown, once the run goes on. */
export async function giveUpPause(run: Run): Promise<void> {
  const given = { by: 'the run', reason: 'The run continues.' };
  for (const entry of await run.outbox.list())
    if (entry.state === 'open' && isOfPause(entry.id)) await giveUp(run, entry, given);
}

async function readPausedOutcome(run: Run, left: Pick<TaskState, 'planningState'>): Promise<JudgedOutcome> {
  const statistics = await readRunStatistics(run);
  const waitsFor = readWait(left) ?? undefined;
  return { status: 'needs_input', reason: null, finalText: null, statistics, waitsFor };
}

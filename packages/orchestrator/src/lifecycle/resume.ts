import { PlatformError, type PlatformThread, parseTaskKeyJson, type Thread } from '@agent/platforms';
import type { PausedRun, PausedRuns, RunControls, TaskState } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { FollowUp } from '../follow-up/create-follow-up.ts';
import type { RunLogger } from '../host/ports.ts';
import { openResumeLabel } from '../outbox/perform-entry.ts';
import type { UnsettledRuns } from '../outbox/unsettled-runs.ts';
import { runTexts } from '../report/texts.ts';
import { confirmThread, type Run } from '../run/run.ts';
import { parseFactsJson } from '../run/run-facts.ts';
import { forgetPause } from '../run/run-record.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { isDeleted } from '../run/watch-thread.ts';
import { hasPlan, readWait } from '../state/waits.ts';
import type { HandoverRecords } from '../triggers/handover-records.ts';
import type { Activate } from './activate.ts';
import type { ExecuteRun } from './execute.ts';
import { giveUpPause, type TellsInStatus } from './pause.ts';

export interface PausedTask {
  readonly paused: Pick<PausedRun, 'uuid' | 'metadata'>;
  readonly platform: ConfiguredPlatform;
  /** Says that this run cannot be gone on with, so that its thread may begin a new one. */
  readonly giveUp: () => void;
}

export interface ResumeOptions {
  readonly store: Pick<PausedRuns<ModelMessage>, 'resume'>;
  readonly controls: Pick<RunControls, 'read' | 'remove'>;
  readonly handovers: Pick<HandoverRecords, 'keep'>;
  readonly unsettled: Pick<UnsettledRuns, 'release'>;
  readonly activate: Activate;
  readonly execute: ExecuteRun;
  readonly followUp: Pick<FollowUp, 'resume'>;
  readonly tellsInStatus: TellsInStatus;
  readonly shutdown: AbortSignal;
  readonly logger: RunLogger;
}

export type ResumeRun = (task: PausedTask) => Promise<void>;

/**
 * Creates what lets a paused run go on where it stood, and says so on its thread (RL-5). A run whose state cannot be restored
 * is left where it is, and its thread begins a new task. A run whose thread was deleted ends as stopped.
 *
 * @throws Error when the thread and its repository are not found, and where another process has the run: it is left alone
 * @throws OtherRepositoryError when another thread or repository has taken the place of the run's: nothing is written there
 */
export function createResume(options: ResumeOptions): ResumeRun {
  const { store, controls, unsettled, activate, execute, followUp, tellsInStatus } = options;
  const { shutdown: signal, logger } = options;
  return async (task) => {
    const { uuid, metadata } = task.paused;
    const ports = task.platform.platform.openThread(parseTaskKeyJson(metadata.taskKey));
    await confirmThread(parseFactsJson(metadata.extra), { ports, signal });
    const thread = await ports.reader.readThread({ signal }).catch(async (error: unknown) => {
      if (!PlatformError.isInstance(error) || error.code !== 'not-found') throw error;
      if (await isDeleted(ports)) return null;
      throw isGone(task, error);
    });
    const resumed = await store.resume(uuid).catch((error: unknown) => {
      if (isTakenOver(error)) throw error;
      logger.error({ run: uuid, err: error }, 'failed to restore paused run; starting task again');
      return null;
    });
    if (resumed === null) {
      task.giveUp();
      return thread === null ? undefined : beginAnew(options.handovers, task, { ports, thread });
    }
    const isToStop = (await controls.read(uuid)).includes('stop');
    const held = activate({ open: resumed, platform: task.platform });
    await followUp.resume(held.run);
    await forgetPause(controls, uuid);
    const { resumeCount } = resumed.pause;
    await unsettled.release(uuid);
    await giveUpPause(held.run);
    if (thread !== null) await openResumeLabel(held.run, { resumeCount, signal });
    held.run.logger.info({ resumeCount, url: held.run.facts.url }, 'resumed task');
    if (thread !== null && !isToStop && !tellsInStatus(held.run)) await postResumed(held.run, resumed.pause);
    await execute(held, null);
  };
}

/** A run that waited for an answer and has it says so by going on. */
async function postResumed(
  { uuid, facts, thread }: Run,
  { resumeCount, planningState }: Pick<TaskState, 'resumeCount' | 'planningState'>,
): Promise<void> {
  if (readWait({ planningState }) !== null) return;
  const texts = runTexts[facts.locale];
  const body = hasPlan({ planningState }) ? texts.resumedPlan : texts.resumed;
  await thread.writer.post({ topic: `run:${uuid}:resumed:${resumeCount}`, body });
}

/** Only where the thread still waits for the run: one that has ended otherwise in the meantime is left alone. */
async function beginAnew(
  handovers: ResumeOptions['handovers'],
  { paused, platform }: PausedTask,
  { ports, thread }: { readonly ports: PlatformThread; readonly thread: Thread },
): Promise<void> {
  const { trigger } = platform;
  if (!(await trigger.signs.shows({ ports, thread }, ['paused', 'waiting']))) return;
  const { locale, handover } = parseFactsJson(paused.metadata.extra);
  const topic = `run:${paused.uuid}:unrestorable`;
  await ports.writer.ensureComment({ topic, body: runTexts[locale].unrestorable, mayExist: true });
  const { taskKeyText } = paused.metadata;
  const named = { host: platform.platform.host, taskKeyText };
  if (handover !== null) await handovers.keep(named, { ...handover, since: handover.at });
  await trigger.setState(ports, { state: 'waiting', thread });
}

function isGone({ paused }: PausedTask, cause: unknown): Error {
  const message = `The repository of the paused run ${paused.uuid} was not found. The run stays in the directory of paused runs. Remove it there if you no longer need it.`;
  return new Error(message, { cause });
}

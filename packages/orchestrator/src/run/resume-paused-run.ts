import { PlatformError, type PlatformThread, parseTaskKeyJson } from '@agent/platforms';
import type { PausedRun } from '@agent/run-store';
import { activateRun } from './activate-run.ts';
import { carryOutRun } from './carry-out-run.ts';
import { finalCommentTexts } from './final-comment-texts.ts';
import { moveLabel } from './move-label.ts';
import { parseFactsJson } from './run-facts.ts';
import type { ActiveRun, ConfiguredPlatform, RunParts } from './run-parts.ts';

export interface PausedTask {
  readonly paused: PausedRun;
  readonly platform: ConfiguredPlatform;
  /** Says that this run cannot be gone on with, so that its thread may begin a new one. */
  readonly giveUp: () => void;
}

/**
 * Lets a paused run go on where it stood, and says so on its thread (RL-5). A run whose state cannot be restored
 * is left where it is, and its thread begins a new task.
 *
 * @throws Error when the thread was deleted: the run is left alone until the next start
 */
export async function resumePausedRun(parts: RunParts, task: PausedTask): Promise<void> {
  const { uuid, metadata } = task.paused;
  const ports = task.platform.platform.openThread(parseTaskKeyJson(metadata.taskKey));
  const { labels } = await ports.reader.readThread({ signal: parts.shutdown }).catch((error: unknown) => {
    throw PlatformError.isInstance(error) && error.code === 'not-found' ? isGone(task, error) : error;
  });
  const resumed = await parts.store.resume(uuid).catch((error: unknown) => {
    parts.logger.error({ run: uuid, err: error }, 'a paused run cannot be restored; its task begins anew');
    return null;
  });
  if (resumed === null) {
    task.giveUp();
    return beginAnew(parts, task, { ports, labels });
  }
  const isToStop = (await parts.controls.read(uuid)).includes('stop');
  await parts.controls.remove(uuid, ['pause', 'resume']);
  const run = activateRun(parts, { open: resumed, platform: task.platform });
  const { resumeCount } = resumed.state;
  run.logger.info({ resumeCount, url: run.facts.url }, 'task resumed');
  if (!isToStop) await sayThatItGoesOn(run, resumeCount);
  await carryOutRun(parts, run, null);
}

async function sayThatItGoesOn(
  { uuid, facts, thread, logger }: ActiveRun,
  resumeCount: number,
): Promise<void> {
  const body = finalCommentTexts[facts.locale].resumed;
  await thread.writer
    .ensureComment({ topic: `run:${uuid}:resumed:${resumeCount}`, body })
    .catch((error: unknown) => logger.error({ err: error }, 'could not say that the task goes on'));
}

/** Only where the thread still waits for the run: one that has ended otherwise in the meantime is left alone. */
async function beginAnew(
  { handovers }: Pick<RunParts, 'handovers'>,
  { paused, platform }: PausedTask,
  thread: { readonly ports: PlatformThread; readonly labels: readonly string[] },
): Promise<void> {
  const waiting = [platform.labels.paused, platform.labels.waiting].map((name) => name.toLowerCase());
  if (!thread.labels.some((name) => waiting.includes(name.toLowerCase()))) return;
  const { locale, handover } = parseFactsJson(paused.metadata.extra);
  const topic = `run:${paused.uuid}:unrestorable`;
  await thread.ports.writer.ensureComment({ topic, body: finalCommentTexts[locale].unrestorable });
  const { taskKeyText } = paused.metadata;
  const named = { host: platform.platform.host, taskKeyText };
  if (handover !== null) await handovers.keep(named, { ...handover, since: handover.at });
  const to = { state: 'waiting', present: thread.labels } as const;
  await moveLabel(thread.ports.labels, to, { labels: platform.labels });
}

function isGone({ paused }: PausedTask, cause: unknown): Error {
  const message = `The thread of paused run ${paused.uuid} is gone. The run is left in the directory of paused runs; remove it there when nobody needs it.`;
  return new Error(message, { cause });
}

import { parseTaskKeyJson } from '@agent/platforms';
import { type BegunRun, beginRun } from './begin.ts';
import { toRecordedThread } from './handover-records.ts';
import type { ConfiguredPlatform, RunParts } from './run.ts';
import { parseFactsJson } from './run-facts.ts';

export interface RetriedRun {
  /** The run that failed. */
  readonly uuid: string;
  readonly platform: ConfiguredPlatform;
}

/**
 * Begins a run that goes on from one that failed: on its branch, with its conversation, and with limits of its own. The
 * request is forgotten once the new run is there; null where its thread is closed, or was given back to people; whoever finds it after a crash sees that run and forgets it too.
 */
export async function beginRetry(parts: RunParts, { uuid, platform }: RetriedRun): Promise<BegunRun | null> {
  const { metadata } = await parts.readRun(uuid);
  const summary = { key: parseTaskKeyJson(metadata.taskKey) };
  const { handover } = parseFactsJson(metadata.extra);
  const thread = toRecordedThread(summary.key, platform.platform);
  // The label is that of the run that failed, and so is its authority.
  if (handover !== null) await parts.handovers.keep(thread, { ...handover, since: handover.at });
  const begun = await beginRun(parts, { summary, platform, retryOf: uuid });
  await parts.controls.remove(uuid, ['retry']);
  if (begun === null) {
    parts.logger.warn(
      { run: uuid },
      'a run is not gone on from: its thread is closed, or was given back to people',
    );
  }
  return begun;
}

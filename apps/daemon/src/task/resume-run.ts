import type { UnfinishedRun } from '@agent/context-inheritance';
import { parseTaskKeyJson } from '@agent/platforms';
import { endCommandsOf } from '../tools/end-leftovers.ts';
import { carryOutRun } from './carry-out-run.ts';
import { type CommittedEnd, finishRun } from './conclude-run.ts';
import { createRequestMeter } from './request-meter.ts';
import { nameRun, parseFactsJson } from './run-facts.ts';
import type { ActiveRun, ConfiguredPlatform, RunParts } from './run-parts.ts';

/**
 * Goes on with a run that an earlier process left. One that has its outcome only gets what follows from it; any
 * other goes on from its journal.
 */
export async function resumeRun(
  parts: RunParts,
  left: { readonly unfinished: UnfinishedRun; readonly platform: ConfiguredPlatform },
): Promise<void> {
  const { unfinished } = left;
  const run = await reopen(parts, left);
  run.logger.info({ ended: unfinished.outcome !== null }, 'resuming a run that was left unfinished');
  if (unfinished.outcome === null) {
    await endCommandsOf(run.uuid);
    return carryOutRun(parts, run, null);
  }
  const end: CommittedEnd = unfinished.outcome;
  return finishRun(parts, run, end);
}

async function reopen(
  parts: RunParts,
  { unfinished, platform }: { unfinished: UnfinishedRun; platform: ConfiguredPlatform },
): Promise<ActiveRun> {
  const { uuid, metadata } = unfinished;
  const facts = parseFactsJson(metadata.extra);
  const key = parseTaskKeyJson(metadata.taskKey);
  const meter = createRequestMeter();
  const { journal, directory } = await parts.store.restore(uuid);
  return {
    uuid,
    key,
    platform,
    thread: platform.platform.openThread(key, { onRequest: meter.onRequest }),
    journal,
    directory,
    facts,
    meter,
    logger: parts.logger.child({ task: nameRun(facts, platform.platform), run: uuid.slice(0, 8) }),
  };
}

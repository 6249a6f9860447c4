import { createTrust } from '../comments/create-trust.ts';
import { createDetectionStateFile } from '../comments/detection-state-file.ts';
import { createRunEars, type JournalledDelivery, type RunEars } from '../comments/run-ears.ts';
import type { ActiveRun, RunParts } from './run-parts.ts';

/**
 * Lets a run hear what is said on its thread. A run that begins takes its snapshot for known when its conversation
 * is opened; one that goes on knows what its journal has delivered.
 */
export async function openEars(parts: RunParts, run: ActiveRun): Promise<RunEars> {
  const { uuid, thread, comments, journal, directory, facts, startedAt, logger } = run;
  const file = createDetectionStateFile(directory, logger);
  const { trust: setting, comment_detection: settings } = parts.config;
  const ears = createRunEars({
    uuid,
    comments,
    ownAccount: await run.platform.platform.identity.whoAmI({ signal: parts.shutdown }),
    isTrusted: createTrust({ setting, permissions: thread.permissions, now: parts.now }),
    controls: parts.controls,
    settings,
    startedAt,
    locale: facts.locale,
    save: file.save,
    logger,
  });
  ears.restore(await file.read(), await readDeliveries(journal));
  return ears;
}

async function readDeliveries(journal: ActiveRun['journal']): Promise<readonly JournalledDelivery[]> {
  const deliveries: JournalledDelivery[] = [];
  let openUntil = 0;
  for await (const entry of journal.read()) {
    if (entry.type !== 'message') continue;
    if (entry.opens !== undefined) openUntil = entry.seq + entry.opens;
    const { delivers } = entry;
    if (delivers.length > 0) deliveries.push({ delivers, opening: entry.seq < openUntil });
  }
  return deliveries;
}

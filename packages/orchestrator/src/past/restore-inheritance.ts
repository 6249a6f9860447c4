import { type CommentListing, formatTaskKey } from '@agent/platforms';
import type { ActiveRun, RunParts } from '../run/run.ts';
import { type Inherited, inheritContext } from './inherit-context.ts';

/**
 * For a run that a crash ended between its metadata and its first line: what it takes over was settled then, and is
 * looked up again. Null, with a warning, where that is not to be had any more.
 */
export async function restoreInheritance(
  { earlierRuns }: Pick<RunParts, 'earlierRuns'>,
  run: Pick<ActiveRun, 'key' | 'platform' | 'facts' | 'lineage' | 'logger'>,
  listing: CommentListing,
): Promise<Inherited | null> {
  const { lineage, facts, logger } = run;
  if (earlierRuns === null || lineage.fromUuid === null) return null;
  const thread = { taskKeyText: formatTaskKey(run.key), host: run.platform.platform.host };
  const { locale } = facts;
  try {
    const manager = await earlierRuns.openManager({ locale, logger });
    const inherited = await inheritContext(manager, {
      thread,
      listing,
      locale,
      timeZone: earlierRuns.timeZone,
    });
    if (inherited === null)
      logger.warn({ from: lineage.fromUuid }, 'nothing of the earlier run is left to take over');
    return inherited;
  } catch (error) {
    logger.warn({ err: error, from: lineage.fromUuid }, 'the earlier run cannot be read any more');
    return null;
  }
}

import { formatTaskKey } from '@agent/platforms';
import type { ActiveRun, RunParts } from '../task/run-parts.ts';
import type { Inherited } from './take-over.ts';

type ToldRun = Pick<ActiveRun, 'uuid' | 'key' | 'platform' | 'thread' | 'facts' | 'logger'>;
type TellingParts = Pick<RunParts, 'earlierRuns'>;

/**
 * Tells the thread what a run takes over, and answers `/show-history`. Both comments are found again by their topics
 * when a crash has it done twice; what cannot be written is logged, and the run goes on.
 */
export async function tellInheritance(
  parts: TellingParts,
  run: ToldRun & Pick<ActiveRun, 'lineage'>,
  inherited: Inherited | null,
): Promise<void> {
  if (inherited !== null) {
    await say(run, { topic: 'inherited', toBody: async () => inherited.notice });
  }
  if (run.lineage.showsHistory)
    await say(run, { topic: 'history', toBody: () => composeHistory(parts, run) });
}

/** Answers a `/show-history` that was given while the run was under way. Never rejects. */
export function tellHistory(parts: TellingParts, run: ToldRun, commentId: string): Promise<void> {
  return say(run, { topic: `history:${commentId}`, toBody: () => composeHistory(parts, run) });
}

async function say(
  { uuid, thread, logger }: ToldRun,
  { topic, toBody }: { readonly topic: string; readonly toBody: () => Promise<string> },
): Promise<void> {
  try {
    await thread.writer.ensureComment({ topic: `run:${uuid}:${topic}`, body: await toBody() });
  } catch (error) {
    logger.error({ err: error, topic }, 'the thread could not be told of earlier runs');
  }
}

async function composeHistory(
  { earlierRuns }: TellingParts,
  { key, platform, facts: { locale }, logger }: ToldRun,
): Promise<string> {
  const { formatHistory } = await import('@agent/context-inheritance');
  const manager = await earlierRuns?.openManager({ locale, logger });
  const thread = { taskKeyText: formatTaskKey(key), host: platform.platform.host };
  const history = (await manager?.listHistory(thread)) ?? [];
  return formatHistory(history, { locale, timeZone: earlierRuns?.timeZone });
}

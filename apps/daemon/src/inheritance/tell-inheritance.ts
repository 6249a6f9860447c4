import { formatTaskKey } from '@agent/platforms';
import type { ActiveRun, RunParts } from '../task/run-parts.ts';
import type { Inherited } from './take-over.ts';

type ToldRun = Pick<ActiveRun, 'uuid' | 'key' | 'platform' | 'thread' | 'facts' | 'lineage' | 'logger'>;
type TellingParts = Pick<RunParts, 'earlierRuns' | 'redact'>;

/**
 * Tells the thread what a run takes over, and answers `/show-history`. Both comments are found again by their topics
 * when a crash has it done twice; what cannot be written is logged, and the run goes on.
 */
export async function tellInheritance(
  parts: TellingParts,
  run: ToldRun,
  inherited: Inherited | null,
): Promise<void> {
  const { uuid, thread, logger } = run;
  const say = async (topic: string, toBody: () => Promise<string>): Promise<void> => {
    try {
      const body = parts.redact(await toBody());
      await thread.writer.ensureComment({ topic: `run:${uuid}:${topic}`, body });
    } catch (error) {
      logger.error({ err: error, topic }, 'the thread could not be told of earlier runs');
    }
  };
  if (inherited !== null) await say('inherited', async () => inherited.notice);
  if (run.lineage.showsHistory) await say('history', () => composeHistory(parts, run));
}

async function composeHistory(
  { earlierRuns }: TellingParts,
  { key, platform, facts: { locale }, logger }: ToldRun,
): Promise<string> {
  const { formatHistory } = await import('@agent/context-inheritance/inheritance');
  const manager = await earlierRuns?.openManager({ locale, logger });
  const thread = { taskKeyText: formatTaskKey(key), host: platform.platform.host };
  return formatHistory((await manager?.listHistory(thread)) ?? [], { locale });
}

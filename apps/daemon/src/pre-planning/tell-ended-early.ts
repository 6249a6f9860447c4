import type { PrePlanningConfig } from '@agent/pre-planning';
import type { Locale } from '../task/locale.ts';
import type { ActiveRun } from '../task/run-parts.ts';

/** In place of the notice that it is done. */
const notices: Readonly<Record<Locale, string>> = {
  ja: `## ⚠️ 計画前の情報収集を完了できませんでした

途中で失敗したため、ここまでに分かったことだけで作業を始めます。残りは作業の中で調べます。`,
  en: `## ⚠️ Getting Ready Was Not Finished

It failed on the way: the work begins with what was found out until then, and looks up the rest as it goes.`,
};

export type ToldRun = Pick<ActiveRun, 'uuid' | 'thread' | 'logger'> & {
  readonly facts: Pick<ActiveRun['facts'], 'locale'>;
};

/**
 * Tells the thread, once, that nothing more comes of what was announced, where it would have been told of the end. What
 * cannot be written is logged.
 */
export async function tellEndedEarly(
  { uuid, thread, facts, logger }: ToldRun,
  { notification }: Pick<PrePlanningConfig, 'notification'>,
): Promise<void> {
  if (!notification.notify_on_collection_complete) return;
  const topic = `run:${uuid}:pre-planning:ended-early`;
  try {
    await thread.writer.ensureComment({ topic, body: notices[facts.locale] });
  } catch (error) {
    logger.error({ err: error, topic }, 'the thread could not be told that the run did not get ready');
  }
}

import type { PrePlanningConfig } from '@agent/pre-planning';
import type { Locale } from '@agent/text';
import type { Run } from '../run/run.ts';
import type { NoticedRun } from './post-notice.ts';

/** Why it ended: it failed on the way, or used up what it may spend. */
export type CutShortCause = 'failure' | 'limit';

/** In place of the notice that it is done. */
const notices: Readonly<Record<Locale, Readonly<Record<CutShortCause, string>>>> = {
  ja: {
    failure: `## ⚠️ 計画前の情報収集を完了できませんでした

途中で失敗したため、ここまでに分かったことだけで作業を始めます。残りは作業の中で調べます。`,
    limit: `## ⚠️ 計画前の情報収集を完了できませんでした

準備に使える分（タスクの上限の4分の1）を使い切ったため、ここまでに分かったことだけで作業を始めます。残りは作業の中で調べます。`,
  },
  en: {
    failure: `## ⚠️ Getting Ready Was Not Finished

It failed on the way: the work begins with what was found out until then, and looks up the rest as it goes.`,
    limit: `## ⚠️ Getting Ready Was Not Finished

It used up its share, a quarter of a limit of the task: the work begins with what was found out until then, and looks up the rest as it goes.`,
  },
};

export interface ToldRun extends NoticedRun {
  readonly facts: Pick<Run['facts'], 'locale'>;
}

/**
 * Tells the thread, once, that nothing more comes of what was announced, where it would have been told of the end. What
 * cannot be written is logged.
 */
export async function postCutShort(
  { uuid, thread, facts, logger }: ToldRun,
  {
    config,
    cause,
  }: { readonly config: Pick<PrePlanningConfig, 'notification'>; readonly cause: CutShortCause },
): Promise<void> {
  if (!config.notification.notify_on_collection_complete) return;
  const topic = `run:${uuid}:pre-planning:ended-early`;
  try {
    await thread.ports.writer.ensureComment({ topic, body: notices[facts.locale][cause] });
  } catch (error) {
    logger.error({ err: error, topic }, 'the thread could not be told that the run did not get ready');
  }
}

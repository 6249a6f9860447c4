import type { PrePlanningConfig, PrePlanningEvent, PrePlanningState } from '@agent/pre-planning';
import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { PreparationStage } from '../board/preparation-stage.ts';
import type { Run } from '../run/run.ts';

/** A run, as far as its thread is told of it. */
export interface NoticedRun extends Pick<Run, 'uuid' | 'logger'> {
  readonly thread: { readonly ports: Pick<Run['thread']['ports'], 'writer'> };
}

export interface Notice {
  readonly event: PrePlanningEvent;
  /** Number of comments that were understood. */
  readonly comments: number;
  readonly redactOutgoing: Redact;
}

/**
 * Tells the thread what the phase has to say, each thing once: a crash that came before it was written down has it
 * found again by its topic. What cannot be written is logged, and the run goes on. The library has taken the secrets out
 * of what it quotes, before it changed a sign of it; here the whole passes once more, as everything that leaves.
 */
export async function postNotice(
  { uuid, thread, logger }: NoticedRun,
  { event, comments, redactOutgoing }: Notice,
): Promise<void> {
  if (event.notice === null) return;
  const topic = `run:${uuid}:pre-planning:${nameNotice(event, comments)}`;
  try {
    await thread.ports.writer.ensureComment({ topic, body: redactOutgoing(event.notice) });
  } catch (error) {
    logger.error({ err: error, topic }, 'a notice of pre-planning could not be posted');
  }
}

/** An understanding is told anew when it takes in more comments. */
function nameNotice(event: PrePlanningEvent, comments: number): string {
  if (event.type === 'understanding-end') return `${event.type}:${comments}`;
  return event.type === 'assumption-made' ? `${event.type}:${event.assumption.label}` : event.type;
}

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
    failure: `## ⚠️ Pre-Planning Was Not Finished

It failed on the way: the work begins with what was found out until then, and looks up the rest as it goes.`,
    limit: `## ⚠️ Pre-Planning Was Not Finished

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
    logger.error({ err: error, topic }, 'the end of pre-planning could not be posted');
  }
}

/** Formats an event for the log: which one it is and how far the phase came with it, nothing that was said or found out. */
export function toEventFields(event: PrePlanningEvent): Readonly<Record<string, unknown>> {
  const { type } = event;
  if (type === 'collection-progress') return { event: type, done: event.done, total: event.total };
  if (type === 'assumption-made') return { event: type, assumption: event.assumption.label };
  return { event: type };
}

/** Converts the state to the stage that is shown to whoever looks on; null when the phase is over. */
export function toPrePlanningStage({
  current_subphase: subphase,
  collection_plan: plan,
  collection_results: results,
}: PrePlanningState): PreparationStage | null {
  if (subphase === 'complete') return null;
  return { subphase, done: results.length, total: plan?.collection_order.length ?? 0 };
}

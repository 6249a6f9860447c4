import type { PrePlanningEvent } from '@agent/pre-planning';
import type { ActiveRun, RunParts } from '../run/run.ts';

export type NoticedRun = Pick<ActiveRun, 'uuid' | 'thread' | 'logger'>;

/**
 * Tells the thread what the phase has to say, each thing once: a crash that came before it was written down has it
 * found again by its topic. What cannot be written is logged, and the run goes on. The library has taken the secrets out
 * of what it quotes, before it changed a sign of it; here the whole passes once more, as everything that leaves.
 */
export async function postNotice(
  { redactOutgoing }: Pick<RunParts, 'redactOutgoing'>,
  { uuid, thread, logger }: NoticedRun,
  { event, comments }: { readonly event: PrePlanningEvent; readonly comments: number },
): Promise<void> {
  if (event.notice === null) return;
  const topic = `run:${uuid}:pre-planning:${nameNotice(event, comments)}`;
  try {
    await thread.writer.ensureComment({ topic, body: redactOutgoing(event.notice) });
  } catch (error) {
    logger.error({ err: error, topic }, 'the thread could not be told how the run gets ready');
  }
}

/** An understanding is told anew when it takes in more comments. */
function nameNotice(event: PrePlanningEvent, comments: number): string {
  if (event.type === 'understanding-end') return `${event.type}:${comments}`;
  return event.type === 'assumption-made' ? `${event.type}:${event.assumption.label}` : event.type;
}

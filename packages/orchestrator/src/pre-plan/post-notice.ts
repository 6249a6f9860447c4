import type { PrePlanningEvent } from '@agent/pre-planning';
import type { Redact } from '@agent/text/outgoing';
import type { Run } from '../run/run.ts';

/** A run, as far as its thread is told of it. */
export interface NoticedRun extends Pick<Run, 'uuid' | 'logger'> {
  readonly thread: { readonly ports: Pick<Run['thread']['ports'], 'writer'> };
}

export interface Notice {
  readonly event: PrePlanningEvent;
  /** How many were understood. */
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
    logger.error({ err: error, topic }, 'the thread could not be told how the run gets ready');
  }
}

/** An understanding is told anew when it takes in more comments. */
function nameNotice(event: PrePlanningEvent, comments: number): string {
  if (event.type === 'understanding-end') return `${event.type}:${comments}`;
  return event.type === 'assumption-made' ? `${event.type}:${event.assumption.label}` : event.type;
}

import type { RunEvent } from '@agent/runner';
import type { RunLogger } from '../host/ports.ts';

const maxShownChars = 160;

/** One readable line for each step of a run; texts of the conversation stay out of it, but for a glimpse of a call. */
export function reportRunEvent(logger: RunLogger, event: RunEvent): void {
  switch (event.type) {
    case 'run-start':
      logger.info({}, event.resumed ? 'resuming run' : 'starting run');
      return;
    case 'step-start':
      logger.info({ step: event.step }, event.by === 'agent' ? 'starting agent turn' : 'calling model');
      return;
    case 'model-answer':
      logger.info(
        {
          step: event.step,
          tokens: event.usage.inputTokens + event.usage.outputTokens,
          chars: event.text.length,
        },
        describeAnswer(event),
      );
      return;
    case 'tool-end':
      reportToolEnd(logger, event, { step: event.step });
      return;
    case 'comments-delivered':
      logger.info({ count: event.count, at: event.name }, 'delivered comments');
      return;
    case 'context-compressed':
      logger.info({ from: event.startSeq, to: event.endSeq }, 'compressed context');
      return;
    default:
      logger.debug({ ...event }, 'run event');
  }
}

function describeAnswer({ by, tools }: Extract<RunEvent, { readonly type: 'model-answer' }>): string {
  if (by === 'agent')
    return tools.length === 0 ? 'received answer from agent' : 'received tool calls from agent';
  return tools.length === 0 ? 'received answer from model' : 'received tool calls from model';
}

/** `place`: when in the life of the run it was. */
export function reportToolEnd(
  logger: RunLogger,
  { status, tool, args, durationMs, failure }: Extract<RunEvent, { readonly type: 'tool-end' }>,
  place: { readonly step: number } | { readonly phase: string },
): void {
  const failed = failure === undefined ? {} : { failure };
  logger[status === 'error' ? 'warn' : 'info'](
    { ...place, tool, call: shorten(args), ...failed, ms: Math.round(durationMs) },
    status === 'error' ? 'tool failed' : 'ran tool',
  );
}

/** Names and paths tell what a call is about; long values are only counted. */
function shorten(args: unknown): string {
  const text = JSON.stringify(args, (key, value: unknown) =>
    key !== '' && typeof value === 'string' && value.length > 60 ? `(${value.length} characters)` : value,
  );
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text;
}

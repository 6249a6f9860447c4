import type { RunEvent } from '@agent/runner';
import type { RunLogger } from '../ports.ts';

const maxShownChars = 160;

/** One readable line for each step of a run; texts of the conversation stay out of it, but for a glimpse of a call. */
export function reportRunEvent(logger: RunLogger, event: RunEvent): void {
  switch (event.type) {
    case 'run-start':
      logger.info({}, event.resumed ? 'going on from the journal' : 'starting');
      return;
    case 'step-start':
      logger.info({ step: event.step }, event.by === 'agent' ? 'the agent takes a turn' : 'asking the model');
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
      logger.info({ count: event.count, at: event.name }, 'comments delivered');
      return;
    case 'context-compressed':
      logger.info({ from: event.startSeq, to: event.endSeq }, 'context compressed');
      return;
    default:
      logger.debug({ ...event }, 'run event');
  }
}

function describeAnswer({ by, tools }: Extract<RunEvent, { readonly type: 'model-answer' }>): string {
  if (by === 'agent') return tools.length === 0 ? 'the agent gave its answer' : 'the agent called a tool';
  return tools.length === 0 ? 'the model gave its answer' : 'the model wants tools';
}

/** `place`: when in the life of the run it was. */
export function reportToolEnd(
  logger: RunLogger,
  { status, tool, args, durationMs }: Extract<RunEvent, { readonly type: 'tool-end' }>,
  place: { readonly step: number } | { readonly phase: string },
): void {
  logger[status === 'error' ? 'warn' : 'info'](
    { ...place, tool, call: shorten(args), ms: Math.round(durationMs) },
    status === 'error' ? 'a tool failed' : 'a tool ran',
  );
}

/** Names and paths tell what a call is about; long values are only counted. */
function shorten(args: unknown): string {
  const text = JSON.stringify(args, (key, value: unknown) =>
    key !== '' && typeof value === 'string' && value.length > 60 ? `(${value.length} characters)` : value,
  );
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text;
}

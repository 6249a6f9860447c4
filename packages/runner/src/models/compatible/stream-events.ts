import { createParser } from 'eventsource-parser';
import { type AnswerError, findErrorInAnswer, findReportedError } from './answer-error.ts';
import { readJsonBody } from './read-json-body.ts';

/** One server-sent event. */
export interface StreamEvent {
  /** Undefined for most. */
  readonly event?: string | undefined;
  readonly data: string;
}

/** Reads the events of a text as it grows. */
export function createEventReader(): (text: string) => readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  return (text) => {
    parser.feed(text);
    return events.splice(0);
  };
}

/** Reads all events of a text, the last one also without an empty line behind it. */
export function listEvents(text: string): readonly StreamEvent[] {
  return createEventReader()(`${text}\n\n`);
}

/** Finds the error that an event reports: by its name, or by its content instead of an answer. */
export function findErrorInEvent({ event, data }: StreamEvent): AnswerError | null {
  const value = readJsonBody(data);
  if (event !== 'error') return findErrorInAnswer(value);
  return findReportedError(value) ?? { status: null, body: { error: { message: data.trim() || 'error' } } };
}

/** A body whose beginning was read: the same bytes are in `body`. */
export interface PeekedBody {
  /** The shortest text that `isEnough` accepts, or all of it. */
  readonly start: string;
  readonly body: ReadableStream<Uint8Array>;
}

/** Reads the beginning of a body. A body that breaks off is not an error here: `body` breaks off again. */
export async function peekBody(
  given: ReadableStream<Uint8Array>,
  isEnough: (start: string) => boolean,
): Promise<PeekedBody> {
  const [peeked, body] = given.tee();
  const reader = peeked
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let start = '';
  try {
    while (!isEnough(start)) {
      const { done, value } = await reader.read();
      if (done) break;
      start += value;
    }
  } catch {
    return { start, body };
  }
  reader.cancel().catch(() => undefined);
  return { start, body };
}

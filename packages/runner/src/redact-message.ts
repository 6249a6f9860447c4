import type { ModelMessage } from 'ai';
import type { Redact } from './ports.ts';

// Names and ids tie messages together; what a provider gave back for itself, such as an encrypted chain of
// thought, is worthless when changed.
const untouchedKeys = new Set(['type', 'toolCallId', 'toolName', 'mediaType', 'providerOptions']);

/** A message without secrets in any of its texts. */
export function redactMessage(message: ModelMessage, redact: Redact): ModelMessage {
  const { content } = message;
  const clean =
    typeof content === 'string' ? redact(content) : content.map((part) => redactPart(part, redact));
  return { ...message, content: clean } as ModelMessage;
}

/** Any JSON value without secrets in its strings. */
export function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact)]),
  );
}

function redactPart(part: object, redact: Redact): object {
  return Object.fromEntries(
    Object.entries(part).map(([key, item]) => [
      key,
      untouchedKeys.has(key) ? item : redactValue(item, redact),
    ]),
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

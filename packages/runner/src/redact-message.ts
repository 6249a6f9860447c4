import type { ModelMessage } from 'ai';
import type { Redact } from './ports.ts';

// What a provider gave back for itself, such as an encrypted chain of thought, is worthless when changed.
const untouchedKeys = new Set(['providerOptions', 'type', 'role', 'toolCallId', 'toolName']);

/** A message without secrets in any of its texts. */
export function redactMessage(message: ModelMessage, redact: Redact): ModelMessage {
  return redactValue(message, redact) as ModelMessage;
}

/** Any JSON value without secrets in its strings. */
export function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      untouchedKeys.has(key) ? item : redactValue(item, redact),
    ]),
  );
}

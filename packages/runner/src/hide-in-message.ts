import type { ModelMessage } from 'ai';
import type { HideKnownSecrets } from './ports.ts';

// Names and ids tie messages together; what a provider gave back for itself, such as an encrypted chain of
// thought, is worthless when changed.
const untouchedKeys = new Set(['type', 'toolCallId', 'toolName', 'mediaType', 'providerOptions']);

/** A message without secrets in any of its texts. */
export function hideInMessage(message: ModelMessage, hideKnownSecrets: HideKnownSecrets): ModelMessage {
  const { content } = message;
  const clean =
    typeof content === 'string'
      ? hideKnownSecrets(content)
      : content.map((part) => hideInPart(part, hideKnownSecrets));
  return { ...message, content: clean } as ModelMessage;
}

/** Any JSON value without secrets in its strings. */
export function hideInValue(value: unknown, hideKnownSecrets: HideKnownSecrets): unknown {
  if (typeof value === 'string') return hideKnownSecrets(value);
  if (Array.isArray(value)) return value.map((item) => hideInValue(item, hideKnownSecrets));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [hideKnownSecrets(key), hideInValue(item, hideKnownSecrets)]),
  );
}

function hideInPart(part: object, hideKnownSecrets: HideKnownSecrets): object {
  return Object.fromEntries(
    Object.entries(part).map(([key, item]) => [
      key,
      untouchedKeys.has(key) ? item : hideInValue(item, hideKnownSecrets),
    ]),
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

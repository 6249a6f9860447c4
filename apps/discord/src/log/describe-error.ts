import { BotError } from '../bot-error.ts';

/**
 * What a log says of an error. Errors of libraries carry the request with its text, so no field but these leaves.
 *
 * @see seed 003 §4.3
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (BotError.isInstance(error)) {
    const { code, status, discordCode, operation, message } = error;
    return { kind: code, status, discordCode, operation, reason: message };
  }
  const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined };
  // The first line is the message, which may quote.
  return {
    kind: 'unexpected',
    status: null,
    reason: name,
    at: stack
      ?.split('\n')
      .slice(1, 4)
      .map((line) => line.trim()),
  };
}

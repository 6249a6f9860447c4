import { createHash } from 'node:crypto';
import { BotError } from '../bot-error.ts';

/**
 * Describes an error for a log. Errors of libraries carry the request with its text, so no field but these leaves.
 *
 * @see seed 003 §4.3
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (BotError.isInstance(error)) {
    const { code, status, discordCode, operation, message } = error;
    return { kind: code, status, discordCode, operation, reason: message };
  }
  if (!(error instanceof Error)) return { kind: 'unexpected', status: null, reason: typeof error };
  return { kind: 'unexpected', status: null, reason: error.name, at: listFrames(error).slice(0, 3) };
}

/** Where it happened, without the message before it, which may quote. */
function listFrames({ stack = '', message }: Error): readonly string[] {
  const afterMessage = stack.slice(stack.indexOf(message) + message.length);
  return afterMessage.split('\n').flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? []);
}

/** Describes a text for a log: how long it is, and whether it is the same as another. @see decision D16 */
export function describeText(text: string): { readonly chars: number; readonly sha256: string } {
  return { chars: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, 12) };
}

import { BotError, type DiscordOperation } from '../bot-error.ts';

/**
 * Tells apart what Discord refuses, what it cannot do right now, and what is no longer there. The library has
 * waited for rate limits and asked again by then.
 *
 * @see seed 003 §4.3
 * @see https://docs.discord.com/developers/topics/opcodes-and-status-codes
 */
function toBotError(operation: DiscordOperation, error: unknown): BotError {
  if (BotError.isInstance(error)) return error;
  const { status, code, name, message } = error as {
    status?: unknown;
    code?: unknown;
    name?: string;
    message?: string;
  };
  const details = {
    operation,
    status: typeof status === 'number' ? status : null,
    // Other errors have codes of their own.
    discordCode: typeof status === 'number' && typeof code === 'number' ? code : null,
    cause: error,
  };
  if (details.status === 401) return new BotError('login', 'Discord does not accept the token', details);
  if (details.status === 403) {
    return new BotError('discord-permission', `Discord refuses: ${message}`, details);
  }
  if (details.status === 404)
    return new BotError('discord-gone', `Discord does not know it: ${message}`, details);
  if (details.status !== null && details.status < 500 && details.status !== 429) {
    return new BotError('discord-refused', `Discord refuses: ${message}`, details);
  }
  const reason = typeof code === 'string' ? code : (name ?? 'unknown');
  return new BotError('discord-temporary', `Discord does not answer (${reason})`, details);
}

/** Runs something at Discord. @throws BotError */
export async function atDiscord<Result>(
  operation: DiscordOperation,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw toBotError(operation, error);
  }
}

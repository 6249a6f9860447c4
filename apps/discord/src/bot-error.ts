import { ModelError } from '@agent/runner/reply';

/** Kinds of failure, as people and programs tell it apart. @see seed 003 §4.3 */
export type BotErrorCode =
  | 'discord-permission'
  | 'discord-temporary'
  | 'discord-gone'
  | 'discord-refused'
  | 'settings'
  | 'login'
  | 'withdrawn'
  | 'revised'
  | 'answered'
  | 'stopped';

/** Operation at Discord that failed. */
type DiscordOperation =
  | 'open-thread'
  | 'post'
  | 'read-history'
  | 'show-typing'
  | 'acknowledge'
  | 'tell-author';

export interface BotErrorDetails {
  /** The HTTP status, where there was one. */
  readonly status?: number | null | undefined;
  /** Discord's own code, e.g. 50013. @see https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
  readonly discordCode?: number | null | undefined;
  readonly operation?: DiscordOperation | null | undefined;
  readonly cause?: unknown;
}

const marker = Symbol.for('@agent/discord/BotError');

/** Error of the bot with a code. Its message never contains text of users. */
export class BotError extends Error {
  readonly code: BotErrorCode;
  readonly status: number | null;
  readonly discordCode: number | null;
  readonly operation: DiscordOperation | null;
  readonly [marker] = true;

  constructor(code: BotErrorCode, message: string, details: BotErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'BotError';
    this.code = code;
    this.status = details.status ?? null;
    this.discordCode = details.discordCode ?? null;
    this.operation = details.operation ?? null;
  }

  /** True for those of another installed copy too. */
  static isInstance(error: unknown): error is BotError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}

/**
 * Tells apart what Discord refuses, what it cannot do right now, and what is no longer there. The library has
 * waited for rate limits and asked again by then.
 *
 * @see seed 003 §4.3
 * @see https://docs.discord.com/developers/topics/opcodes-and-status-codes
 */
function toBotError(operation: DiscordOperation, error: unknown): BotError {
  if (BotError.isInstance(error)) return error;
  const { status, code, name, message } = error as Partial<Error> & { status?: unknown; code?: unknown };
  const details = {
    operation,
    status: typeof status === 'number' ? status : null,
    // Other errors have codes of their own.
    discordCode: typeof status === 'number' && typeof code === 'number' ? code : null,
    cause: error,
  };
  const fail = (kind: BotErrorCode, text: string) => new BotError(kind, text, details);
  if (status === 401) return fail('login', 'Discord rejected the token');
  if (status === 403) return fail('discord-permission', `Discord denied permission: ${message}`);
  if (status === 404) return fail('discord-gone', `Discord could not find it: ${message}`);
  // A message that is replied to is no error of the form, but one that is no longer there.
  if (status === 400 && message?.includes('REPLIES_UNKNOWN_MESSAGE')) {
    return fail('discord-gone', 'the message to reply to no longer exists');
  }
  if (typeof status === 'number' && status < 500 && status !== 429) {
    return fail('discord-refused', `Discord rejected the request: ${message}`);
  }
  const reason = typeof code === 'string' ? code : (name ?? 'unknown');
  return fail('discord-temporary', `Discord did not answer (${reason})`);
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
  if (ModelError.isInstance(error)) {
    const { code, status, message } = error;
    return { kind: code, status, discordCode: null, operation: null, reason: message };
  }
  if (!(error instanceof Error)) return { kind: 'unexpected', status: null, reason: typeof error };
  return { kind: 'unexpected', status: null, reason: error.name, at: listFrames(error).slice(0, 3) };
}

/** Lists where it happened, without the message before it, which may quote. */
function listFrames({ stack = '', message }: Error): readonly string[] {
  const afterMessage = stack.slice(stack.indexOf(message) + message.length);
  return afterMessage.split('\n').flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? []);
}

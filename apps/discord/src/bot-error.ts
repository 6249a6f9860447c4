/** Kinds of failure, as people and programs tell it apart. @see seed 003 §4.3 */
export type BotErrorCode =
  | 'discord-permission'
  | 'discord-temporary'
  | 'discord-gone'
  | 'discord-refused'
  | 'model-unreachable'
  | 'model-timeout'
  | 'model-status'
  | 'model-unreadable'
  | 'model-failed'
  | 'settings'
  | 'login'
  | 'withdrawn'
  | 'stopped';

/** Operation at Discord that failed. */
export type DiscordOperation =
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

/** Every failure that the app names. Its message never quotes what somebody wrote. */
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

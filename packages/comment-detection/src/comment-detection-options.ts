import type { Locale } from './detection-texts.ts';
import type { BodyContext } from './message-options.ts';
import type { Authority, Comment } from './model.ts';
import type { CallOptions, Logger } from './ports.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** All of it is optional: without options every comment of others is detected, at every check. */
export interface CommentDetectionOptions {
  /** Default true. */
  readonly enabled?: boolean | undefined;
  /** The agent's own account by name, with or without `[bot]`. Default: unknown, with a warning. */
  readonly botUsername?: string | null | undefined;
  /** The agent's own account by the platform's number; wins over the name. */
  readonly botId?: string | null | undefined;
  /** A look at every n-th check. Default 1. */
  readonly checkInterval?: number | undefined;
  /** Of the line that says how many new comments were detected. Default `info`. */
  readonly logLevel?: LogLevel | undefined;
  /** Whether edits and deletions are told of. Default true. */
  readonly detectEdits?: boolean | undefined;
  /** Names whose comments are never news. */
  readonly ignoreUsers?: readonly string[] | undefined;
  /** Recognises the agent's own comments by other means, e.g. a hidden marker together with the account. */
  readonly isOwnComment?: ((comment: Comment) => boolean) | undefined;
  /** Who may steer. Rejecting counts as `untrusted`. Default: everyone. */
  readonly authorityOf?:
    | ((comment: Comment, options: CallOptions) => Promise<Authority> | Authority)
    | undefined;
  /** What the model may see of a name or a body, present or earlier; asked before it is cut or compared. Default: all of it. */
  readonly cleanText?: ((text: string) => string) | undefined;
  /** What the model gets of a comment, e.g. in an envelope; its body is clean, and perhaps cut. Default: its body. */
  readonly prepareBody?: ((comment: Comment, context: BodyContext) => string) | undefined;
  /** Longest body shown whole. Default 65,536. */
  readonly maxBodyChars?: number | undefined;
  /** Longest message before its bodies are shortened. Default 200,000. */
  readonly maxMessageChars?: number | undefined;
  /**
   * When the task began, by the server's clock (ISO 8601): what is older counts as history when there was no
   * snapshot to begin with. Default: when the manager was made, by our own clock. Where the opening receipt is
   * journalled, give a second less: what shares the second of the start is then told apart by its id.
   */
  readonly startedAt?: string | undefined;
  /** Stands in the log lines. */
  readonly taskUuid?: string | undefined;
  /** Default `ja`. */
  readonly logLocale?: Locale | undefined;
  /** Silent by default. */
  readonly logger?: Logger | undefined;
  /** A look that takes longer has failed. Default 30,000. */
  readonly lookTimeoutMs?: number | undefined;
  readonly now?: (() => Date) | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicNow?: (() => number) | undefined;
  /** Waits out the spacing of two requests at the finish barrier. */
  readonly sleep?: ((milliseconds: number, options: CallOptions) => Promise<void>) | undefined;
  /** Default `AbortSignal.timeout`. */
  readonly timeoutSignal?: ((milliseconds: number) => AbortSignal) | undefined;
}

/** The options with every default filled in. */
export interface DetectionSettings {
  readonly enabled: boolean;
  readonly botUsername: string | null;
  readonly botId: string | null;
  readonly checkInterval: number;
  readonly logLevel: LogLevel;
  readonly detectEdits: boolean;
  readonly ignoreUsers: readonly string[];
  readonly maxBodyChars: number;
  readonly maxMessageChars: number;
  readonly lookTimeoutMs: number;
  readonly taskUuid: string;
  readonly logLocale: Locale;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isTextOrNull: Check = (value) => value === null || isText(value);
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 1;
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);

const defaults: DetectionSettings = {
  enabled: true,
  botUsername: null,
  botId: null,
  checkInterval: 1,
  logLevel: 'info',
  detectEdits: true,
  ignoreUsers: [],
  maxBodyChars: 65_536,
  maxMessageChars: 200_000,
  lookTimeoutMs: 30_000,
  taskUuid: '-',
  logLocale: 'ja',
};

const checks: Readonly<Record<keyof DetectionSettings, Check>> = {
  enabled: isFlag,
  botUsername: isTextOrNull,
  botId: isTextOrNull,
  checkInterval: isCount,
  logLevel: isOneOf('debug', 'info', 'warn', 'error'),
  detectEdits: isFlag,
  ignoreUsers: (value) => Array.isArray(value) && value.every(isText),
  maxBodyChars: isCount,
  maxMessageChars: isCount,
  lookTimeoutMs: isCount,
  taskUuid: isText,
  logLocale: isOneOf('ja', 'en'),
};

/** Fills in the defaults; what is of no use falls back to them, with a warning. @see decision X1 */
export function toDetectionSettings(options: CommentDetectionOptions): DetectionSettings {
  const settings: Record<string, unknown> = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof DetectionSettings)[]) {
    const value: unknown = options[name];
    if (value === undefined) continue;
    if (checks[name](value)) settings[name] = value;
    else {
      const fields = { option: name, default: defaults[name] };
      options.logger?.warn(fields, 'an option of comment detection is invalid; its default is used');
    }
  }
  return settings as unknown as DetectionSettings;
}

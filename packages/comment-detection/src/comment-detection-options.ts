import { setTimeout as wait } from 'node:timers/promises';
import type { Authority, CallOptions } from '@agent/platforms';
import type { Locale, Logger } from '@agent/text';
import type { AuthorityOptions, SourceComment } from './comment.ts';
import type { CleanText, FitDelivery } from './compose-delivery.ts';
import { type BodyContext, defaultMaxBodyChars } from './format-changes-message.ts';
import type { ObservedPoll } from './observation.ts';

/** Names of the levels of a `Logger`. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * All options are optional. Without them every comment of other accounts is detected, at every check. A warning on the
 * console names each safeguard that neither the options nor the source provide: an own account, `authorityOf`.
 */
export interface CommentDetectionOptions {
  /** Default true. */
  readonly enabled?: boolean | undefined;
  /** The agent's own account by name, with or without `[bot]`. Default: as the source finds it; else unknown, with a warning. */
  readonly botUsername?: string | null | undefined;
  /** The agent's own account by the platform's number; wins over the name. */
  readonly botId?: string | null | undefined;
  /** A look at every n-th check. Default 1. */
  readonly checkInterval?: number | undefined;
  /** Level of the line that says how many new comments were detected. Default `info`. */
  readonly logLevel?: LogLevel | undefined;
  /** Tells whether edits and deletions are told of. Default true. */
  readonly detectEdits?: boolean | undefined;
  /** Names whose comments are never news. */
  readonly ignoreUsers?: readonly string[] | undefined;
  /** Recognizes the agent's own comments by other means, e.g. a hidden marker together with the account. */
  readonly isOwnComment?: ((comment: SourceComment) => boolean) | undefined;
  /**
   * Says who may steer. Rejecting means that it is not known: what was said waits, is asked for again at each check, and is told
   * as not known yet before the end, or after `unknownAuthorityMs`. Default: as the source finds it; else everyone, with a warning.
   */
  readonly authorityOf?:
    | ((comment: SourceComment, options: AuthorityOptions) => Promise<Authority> | Authority)
    | undefined;
  /** Cleans a name or a body for the model, present or earlier, before it is cut or compared. It may take its time, e.g. in a worker. Default: without hidden characters and markup. */
  readonly cleanText?: CleanText | undefined;
  /** Prepares the body of a comment for the model, e.g. in an envelope; its body is clean, and perhaps cut. Default: its body. */
  readonly prepareBody?: ((comment: SourceComment, context: BodyContext) => string) | undefined;
  /** Longest body shown whole. Default 65,536. */
  readonly maxBodyChars?: number | undefined;
  /** Longest message before its bodies are shortened. Default 200,000. */
  readonly maxMessageChars?: number | undefined;
  /**
   * Decides how much of each change a message shows, e.g. by the model's context window. It replaces `maxBodyChars` and
   * `maxMessageChars`. Default: these two.
   */
  readonly fitDelivery?: FitDelivery | undefined;
  /**
   * When the task began, by the server's clock (ISO 8601): what is older counts as history when there was no
   * snapshot to begin with. Default: when the manager was made, by our own clock. Where the opening receipt is
   * journalled, give a second less: what shares the second of the start is then told apart by its id.
   */
  readonly startedAt?: string | undefined;
  /** Stands in the log lines. */
  readonly taskUuid?: string | undefined;
  /** Language of the log lines of seed 001 §6.1. Default `en`; `ja` gives them to the letter. */
  readonly logLocale?: Locale | undefined;
  /** Default: silent, but for what makes an agent deaf or unsafe, which is told on `console.warn`. */
  readonly logger?: Logger | undefined;
  /** Milliseconds that a comment waits, at most, until it is known whether its author may steer. Default 180,000. */
  readonly unknownAuthorityMs?: number | undefined;
  /**
   * Keeps what a look found, e.g. in a journal: nothing of it is returned, told or obeyed before this resolves. Where it
   * rejects, the check has failed, and the next one tries again. Default: nothing is kept.
   */
  readonly onObserved?: ((poll: ObservedPoll) => Promise<void>) | undefined;
  /** A look that takes longer has failed. Default 30,000. */
  readonly pollTimeoutMs?: number | undefined;
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
  readonly pollTimeoutMs: number;
  readonly unknownAuthorityMs: number;
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
  maxBodyChars: defaultMaxBodyChars,
  maxMessageChars: 200_000,
  pollTimeoutMs: 30_000,
  unknownAuthorityMs: 180_000,
  taskUuid: '-',
  logLocale: 'en',
};

const isFunction: Check = (value) => typeof value === 'function';
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Checks of the options; a function that is none has no default that is safe. */
const checks: Readonly<Record<keyof CommentDetectionOptions, Check>> = {
  enabled: isFlag,
  botUsername: isTextOrNull,
  botId: isTextOrNull,
  checkInterval: isCount,
  logLevel: isOneOf('debug', 'info', 'warn', 'error'),
  detectEdits: isFlag,
  ignoreUsers: (value) => Array.isArray(value) && value.every(isText),
  isOwnComment: isFunction,
  authorityOf: isFunction,
  cleanText: isFunction,
  prepareBody: isFunction,
  maxBodyChars: isCount,
  maxMessageChars: isCount,
  fitDelivery: isFunction,
  startedAt: isTime,
  taskUuid: isText,
  logLocale: isOneOf('ja', 'en'),
  logger: (value) => typeof value === 'object' && value !== null,
  pollTimeoutMs: isCount,
  unknownAuthorityMs: isCount,
  onObserved: isFunction,
  now: isFunction,
  monotonicNow: isFunction,
  sleep: isFunction,
  timeoutSignal: isFunction,
};

type OptionName = keyof CommentDetectionOptions;

/** A problem with the options; `nearest` is the option that a name may have meant. */
export type OptionProblem =
  | { readonly kind: 'unknown'; readonly option: string; readonly nearest: string | null }
  | { readonly kind: 'invalid'; readonly option: string; readonly default: unknown };

/**
 * Fills in the defaults; what is of no use falls back to them, and is told of.
 * @throws TypeError where a function or the logger is something else
 * @see decision X1
 */
export function readDetectionOptions(options: CommentDetectionOptions): {
  readonly settings: DetectionSettings;
  readonly startedAt: string | null;
  readonly problems: readonly OptionProblem[];
} {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const usable = given.filter(([name, value]) => isOption(name) && checks[name](value));
  const problems = given.flatMap(([name, value]) => findProblem(name, value) ?? []);
  const { startedAt = null, ...settings } = Object.fromEntries(usable) as CommentDetectionOptions;
  const names = Object.keys(defaults) as (keyof DetectionSettings)[];
  const filled = names.map((name) => [name, settings[name] ?? defaults[name]]);
  return { settings: Object.fromEntries(filled) as DetectionSettings, startedAt, problems };
}

function findProblem(option: string, value: unknown): OptionProblem | null {
  if (!isOption(option)) return { kind: 'unknown', option, nearest: nearestOption(option) };
  if (checks[option](value)) return null;
  if (option in defaults) {
    return { kind: 'invalid', option, default: defaults[option as keyof DetectionSettings] };
  }
  if (option === 'startedAt') return { kind: 'invalid', option, default: 'now' };
  throw new TypeError(`The option ${option} of CommentDetectionManager has the wrong type: ${typeof value}.`);
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(checks, name);
}

function nearestOption(name: string): string | null {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '');
  return Object.keys(checks).find((known) => plain(known) === plain(name)) ?? null;
}

/** Waits, and gives up as soon as the signal says so. */
export async function sleepFor(milliseconds: number, { signal }: CallOptions): Promise<void> {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
}

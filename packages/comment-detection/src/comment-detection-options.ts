import { setTimeout as wait } from 'node:timers/promises';
import type { Authority, CallOptions } from '@agent/platforms';
import type { Locale, Logger } from '@agent/text';
import {
  checkOptions,
  type Expectation,
  type Expectations,
  expected,
  expectList,
  expectNullable,
  expectNumber,
  expectOneOf,
} from '@agent/text/options';
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
  /** Id of the agent's own account; wins over the name. */
  readonly botId?: number | string | null | undefined;
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
   * as not known yet before the end, or after `unknownAuthorityMs`. A poll calls it once for each author. Default: as the source finds it; else everyone, with a warning.
   */
  readonly authorityOf?:
    | ((comment: SourceComment, options: AuthorityOptions) => Promise<Authority> | Authority)
    | undefined;
  /** True for a comment whose author's authority must be requested now, such as a comment with a command. Default: never. */
  readonly needsFreshAuthority?: ((comment: SourceComment) => Promise<boolean> | boolean) | undefined;
  /** Cleans a name or a body for the model, present or earlier, before it is cut or compared. It may take its time, e.g. in a worker. Default: without hidden characters and markup. */
  readonly cleanText?: CleanText | undefined;
  /** Prepares the body of a comment for the model, e.g. in an envelope; its body is clean, and perhaps cut. Default: its body; internal notes are marked. */
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
  readonly logger?: Logger | null | undefined;
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
  /** Null: when the manager was made. */
  readonly startedAt: string | null;
}

const defaults: Omit<DetectionSettings, 'botId' | 'startedAt'> = {
  enabled: true,
  botUsername: null,
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

const count = expectNumber(1, { isWhole: true });

/** Conditions of the options. */
export const detectionExpectations = {
  enabled: expected.flag,
  botUsername: expectNullable(expected.text),
  botId: expectNullable(expected.id),
  checkInterval: count,
  logLevel: expectOneOf('debug', 'info', 'warn', 'error'),
  detectEdits: expected.flag,
  ignoreUsers: expectList(expected.text),
  isOwnComment: expected.function,
  authorityOf: expected.function,
  needsFreshAuthority: expected.function,
  cleanText: expected.function,
  prepareBody: expected.function,
  maxBodyChars: count,
  maxMessageChars: count,
  fitDelivery: expected.function,
  startedAt: expected.time,
  taskUuid: expected.text,
  logLocale: expectOneOf('en', 'ja'),
  logger: expected.logger,
  pollTimeoutMs: count,
  unknownAuthorityMs: count,
  onObserved: expected.function,
  now: expected.function,
  monotonicNow: expected.function,
  sleep: expected.function,
  timeoutSignal: expected.function,
} as const satisfies Record<keyof CommentDetectionOptions, Expectation>;

/** Conditions of the options of a single call. */
const callExpectations = {
  barrier: expected.flag,
  signal: expected.signal,
  changes: expectList(expected.object),
  maxBodyChars: count,
  runCommands: expected.function,
} as const satisfies Expectations;

/** Checks the options of a call of the manager. @throws TypeError that names the option */
export function checkCall(
  name: string,
  options: object,
  known: readonly (keyof typeof callExpectations)[],
): void {
  const expectations = Object.fromEntries(known.map((option) => [option, callExpectations[option]]));
  checkOptions(`The options of ${name}`, options, expectations);
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that names an option that is unknown or wrong
 */
export function readDetectionOptions(options: CommentDetectionOptions): DetectionSettings {
  checkOptions('CommentDetectionOptions', options, detectionExpectations);
  const names = Object.keys(defaults) as (keyof typeof defaults)[];
  const filled = names.map((name) => [name, options[name] ?? defaults[name]]);
  const botId = options.botId == null ? null : String(options.botId);
  return { ...(Object.fromEntries(filled) as typeof defaults), botId, startedAt: options.startedAt ?? null };
}

/** Waits, and gives up as soon as the signal says so. */
export async function sleepFor(milliseconds: number, { signal }: CallOptions): Promise<void> {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
}

import type { CallOptions } from '@agent/platforms';
import type { Locale, Logger } from '@agent/text';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectOneOf,
  expectOptions,
  expectPort,
  isObject,
} from '@agent/text/options';
import type { LanguageModel, ModelMessage } from 'ai';
import { expectInbox, expectModel, expectTokens } from './expectations.ts';
import type { OpeningCost, RunEvent, RunOutcome, RunStatistics, TaskTools } from './model.ts';
import type {
  CommentInbox,
  CommentReceipt,
  ContextCompressor,
  HideKnownSecrets,
  ModelAvailability,
  RunJournal,
  RunSignals,
  SpendingGauge,
} from './ports.ts';

/** Limits of a run, over all processes that carry it. Null: unlimited. */
export interface RunLimits {
  /** Model calls. Default 100. */
  readonly maxSteps?: number | null | undefined;
  /** Milliseconds the run may be active. Default null. */
  readonly maxDurationMs?: number | null | undefined;
  /** Input and output tokens together, as the endpoint reports them. Default null. */
  readonly maxTokens?: number | null | undefined;
  /** Turns in a row in which one tool failed. Default 3. */
  readonly maxToolFailures?: number | null | undefined;
}

/** With what a conversation begins. */
export interface OpenedConversation {
  /** The system's prompt; may be empty. */
  readonly instructions: string;
  /** At least one; the last is what the model answers first. */
  readonly messages: readonly ModelMessage[];
  /**
   * Which comments the messages tell of; journaled with the last of them, which completes the opening. Default none.
   *
   * @see decision X14
   */
  readonly receipt?: CommentReceipt | undefined;
  /**
   * Cost of preparing it, counted as the run's own, also against its limits; journaled with the first
   * message. Default nothing.
   */
  readonly spent?: OpeningCost | undefined;
  /** Milliseconds that earlier processes have spent on it; this one's are counted anyway. Default 0. */
  readonly earlierMs?: number | undefined;
}

export type Sleep = (milliseconds: number, options: CallOptions) => Promise<void>;

/** Parts and limits of a run. */
export interface RunTaskOptions {
  readonly model: LanguageModel;
  /** Asked in the place of `model` by the phases of a plan that do no work. Default `model`. */
  readonly planningModel?: LanguageModel | undefined;
  /**
   * Tools by the names under which the model calls them. One without `execute` is refused by name: the runner runs
   * tools itself, one after the other.
   */
  readonly tools: TaskTools;
  readonly journal: RunJournal;
  /** Called only when the journal holds no complete opening. */
  readonly openConversation: (options: CallOptions) => Promise<OpenedConversation>;
  readonly signals?: RunSignals | null | undefined;
  readonly comments?: CommentInbox | null | undefined;
  /** Default none: a model that cannot be asked has `runTask` come back as `deferred`. */
  readonly availability?: ModelAvailability | null | undefined;
  readonly compressor?: ContextCompressor | null | undefined;
  /** Window of the model in tokens, question and answer together. Default: the compressor's, else 128,000. */
  readonly contextLength?: number | undefined;
  /** A function is asked before each step: what it says then holds. */
  readonly limits?: RunLimits | (() => RunLimits) | undefined;
  /** Asked before each step, to tell the model once that most of its money is spent. Default none: nothing is said of money. */
  readonly gauge?: SpendingGauge | null | undefined;
  /** Names of the limits where people set them, for the reason of a run that met one. Default their own names. */
  readonly limitNames?: Readonly<Partial<Record<keyof RunLimits, string>>> | undefined;
  /** Calls of tools that one answer may make; further ones are refused. Default 64. */
  readonly maxCallsPerAnswer?: number | undefined;
  /**
   * Times that one call may be made in a row with the same result before the model is asked about it; as often again,
   * and the run ends. Default 10.
   */
  readonly maxSameCalls?: number | undefined;
  /** Characters of an answer, arguments of its calls included; a longer one is of no use. Default 1,000,000. */
  readonly maxAnswerChars?: number | undefined;
  /** Further attempts of one model call after the first, within some seconds. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one model call may take, attempts included. Default 600,000. */
  readonly stepTimeoutMs?: number | undefined;
  /** Milliseconds that one call of a tool may take. Default 1,800,000. */
  readonly toolTimeoutMs?: number | undefined;
  /**
   * Writes the result of a tool for the model. Default: text as it is, everything else as JSON (nothing as `null`), of
   * a tool that streams the last value.
   */
  readonly toolResultToText?: ((result: unknown) => string) | undefined;
  /** Characters of a tool's output that are stored; the middle of a longer one is left out. Default 1,000,000. */
  readonly maxToolOutputChars?: number | undefined;
  /** Default `{ openai: { store: false } }`: the model's server keeps nothing of the conversation. */
  readonly providerOptions?: ProviderOptions | undefined;
  /** Hides secrets in all that is journaled or sent to the model: known values only, as the model must see code as it is. Default: leaves texts as they are. */
  readonly hideKnownSecrets?: HideKnownSecrets | undefined;
  /** Removes secrets from summaries and plans before they are written, also such as are known only by their form. Default: `hideKnownSecrets`. */
  readonly redactSecrets?: HideKnownSecrets | undefined;
  /**
   * Counts the times that the poll before the end has brought comments, of which five keep a run from its end. Give the same one to all
   * calls that are of one run. Default: each call counts anew.
   */
  readonly finishRounds?: { rounds: number } | undefined;
  /** Hears of each step as it happens. What it throws is logged and ignored. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** A shutdown: the step at hand is finished and saved, then the run is left as it is. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends at once, in the middle of a model call or a tool, which has six seconds to end by itself. Aborted with a `RunInterruption`
   * the run is stopped or paused; with another reason it is left as it is.
   */
  readonly hardSignal?: AbortSignal | undefined;
  /** Language of reasons, which people read. Default `en`. */
  readonly locale?: Locale | undefined;
  /** Milliseconds; only differences are used. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /**
   * Waits for the thread to answer, and measures `toolTimeoutMs`; rejects when its signal aborts. Default the
   * system's timer.
   */
  readonly sleep?: Sleep | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/** Options for the model's provider, by the provider's name. @see https://ai-sdk.dev/providers/ai-sdk-providers/openai */
export type ProviderOptions = Readonly<Record<string, Record<string, string | number | boolean | null>>>;

/**
 * Result of `runTask`. `interrupted` and `deferred` are no outcomes: the run was left in the middle, by a shutdown
 * or because of an outage, and continues from its journal when `runTask` is called again.
 */
export type RunResult =
  | { readonly kind: 'ended'; readonly outcome: RunOutcome }
  | { readonly kind: 'interrupted'; readonly statistics: RunStatistics }
  | {
      readonly kind: 'deferred';
      /** `disk`: the journal takes no more lines from this call, and has to be opened again. */
      readonly waitsFor: 'model' | 'disk' | 'money';
      /** For people. */
      readonly reason: string;
      readonly statistics: RunStatistics;
    };

const limitExpectations: ExpectationsOf<RunLimits> = {
  maxSteps: expectNullable(expectNumber(0)),
  maxDurationMs: expectNullable(expectNumber(0)),
  maxTokens: expectNullable(expectNumber(0)),
  maxToolFailures: expectNullable(expectNumber(0)),
};

/** Conditions of the options that a run has, whoever works on it. */
export const runExpectations: ExpectationsOf<RunTaskOptions> = {
  model: expectModel,
  planningModel: expectModel,
  tools: { ...expected.object, text: 'an object of tools by their names, {} for none' },
  journal: expectPort('append', 'read', 'replaceContext'),
  openConversation: expected.function,
  signals: expectNullable(expectPort('read')),
  comments: expectInbox,
  availability: expectNullable(expectPort('admit', 'afterFailure', 'afterAnswer')),
  compressor: expectNullable(expectPort('compress')),
  contextLength: expectTokens,
  limits: {
    ...expectOptions(limitExpectations),
    isMet: (value) => isObject(value) || expected.function.isMet(value),
    text: `an object of ${Object.keys(limitExpectations).join(', ')}, or a function that returns one`,
  },
  gauge: expectNullable(expectPort('read')),
  limitNames: expectOptions(
    Object.fromEntries(Object.keys(limitExpectations).map((name) => [name, expected.text])),
  ),
  maxCallsPerAnswer: expectNumber(0),
  maxSameCalls: expectNumber(0),
  maxAnswerChars: expectNumber(0),
  maxRetries: expectNumber(0, { isWhole: true }),
  stepTimeoutMs: expectNumber(0),
  toolTimeoutMs: expectNumber(0),
  toolResultToText: expected.function,
  maxToolOutputChars: expectNumber(0),
  providerOptions: expected.object,
  hideKnownSecrets: expected.function,
  redactSecrets: expected.function,
  finishRounds: expectOptions({ rounds: expectNumber(0) }),
  onEvent: expected.function,
  signal: expected.signal,
  hardSignal: expected.signal,
  locale: expectOneOf('en', 'ja'),
  now: expected.function,
  sleep: expected.function,
  logger: expected.logger,
};

/** Options that a run needs. */
export const requiredOfRuns = ['model', 'tools', 'journal', 'openConversation'] as const;

/**
 * Fills in limits, as they were given or as a function returned them.
 * @throws {TypeError} that names a limit which is unknown or invalid: no limit is never the default of a wrong one
 */
export function toLimits(limits: RunLimits): {
  readonly [Name in keyof RunLimits]-?: number | null;
} {
  checkOptions('RunTaskOptions.limits', limits, limitExpectations);
  const { maxSteps = 100, maxDurationMs = null, maxTokens = null, maxToolFailures = 3 } = limits;
  return { maxSteps, maxDurationMs, maxTokens, maxToolFailures };
}

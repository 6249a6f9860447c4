import { estimateTokens, type Fitted, type Logger, type TokenCounter } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected } from '@agent/text/options';
import type { ModelMessage } from 'ai';
import { classifyModelError } from '../classify-model-error.ts';
import { expectTokens } from '../expectations.ts';
import type { ContextItem, JsonValue } from '../model.ts';
import { Arrangement, type ArrangementState } from './arrangement.ts';
import { shorten } from './excerpt.ts';
import { fitMessage, takeNewest } from './shorten-message.ts';
import { WindowSize } from './window-size.ts';

/** Messages of a request that were fitted to the window. Only a `ContextWindow` makes them. */
export type FittedMessages = Fitted<readonly ModelMessage[]>;

/** Prompt that fits the window, as far as the window is known. */
export interface FittedPrompt {
  readonly instructions: string;
  readonly messages: FittedMessages;
  /** Tokens of the request, tools included, as this side counts them. */
  readonly estimate: number;
}

/** Parts of a request of a run. */
export interface WindowParts {
  readonly instructions: string;
  readonly items: readonly ContextItem[];
  /** Tokens of the schemas of the tools that are sent. */
  readonly toolTokens: number;
}

/** Parts of a request beside its text. */
export interface FitTextOptions {
  /** Default none. */
  readonly instructions?: string | undefined;
  /** Least share of the window that is left for the answer. */
  readonly answer: number;
  /** Tokens of schemas that are sent. Default 0. */
  readonly toolTokens?: number | undefined;
  /** Messages after the text. They take at most a quarter of the window. Default none. */
  readonly followUp?: readonly ModelMessage[] | undefined;
}

/** Options of a `ContextWindow`. */
export interface ContextWindowOptions {
  /** Tokens of question and answer together. Default 128,000. */
  readonly contextLength?: number | undefined;
  /** Share of the window from which older parts are elided and summarized. Default 0.7. */
  readonly compressionThreshold?: number | undefined;
  /** Default an estimate from classes of characters, a fifth too high. */
  readonly countTokens?: TokenCounter | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/** Conditions of the options of a window. */
export const windowExpectations: ExpectationsOf<ContextWindowOptions> = {
  contextLength: expectTokens,
  compressionThreshold: {
    isMet: (value) => typeof value === 'number' && value > 0 && value <= 1,
    text: 'a number above 0, up to 1',
  },
  countTokens: expected.function,
  logger: expected.logger,
};

const defaultThreshold = 0.7;
const resultShare = 0.25;
/** Tokens of the endpoint for the output of a command, however large the window is: its end, or a search in it, mostly tells enough. */
const reportTokens = 8_192;
/** Share of the window that is freed when results are elided: rarely, so that the prefix stays in the provider's cache. */
const elisionShare = 0.25;
/** Share of the window for messages that follow a text. */
const followUpShare = 0.25;
/** Smallest size of a text, in tokens. */
const leastTextTokens = 64;
/** Refusals in a row, each followed by a smaller prompt. */
const maxRefusals = 6;
/** Tokens around the messages of a request. */
const requestOverhead = 16;

/**
 * Window of the model of one run: knows its size, the ratio of the endpoint's count to our estimate, and which messages
 * are shortened. The journal keeps every text; messages are shortened when a request is made.
 *
 * @example
 * const window = new ContextWindow({ contextLength: 32_768 });
 * const prompt = window.fit({ instructions, items, toolTokens: 1_300 });
 */
export class ContextWindow {
  readonly count: TokenCounter;
  readonly #size: WindowSize;
  readonly #threshold: number;
  readonly #arrangement: Arrangement;
  #saved: string;

  /** @throws {TypeError} that names an option which is unknown or invalid */
  constructor(options: ContextWindowOptions = {}) {
    checkOptions('ContextWindowOptions', options, windowExpectations);
    const { contextLength, countTokens = estimateTokens, logger = null } = options;
    const { compressionThreshold = defaultThreshold } = options;
    this.count = countTokens;
    this.#size = new WindowSize({ contextLength, logger });
    this.#threshold = compressionThreshold;
    this.#arrangement = new Arrangement(countTokens);
    this.#saved = JSON.stringify(this.#state());
  }

  /** Size of the window in tokens of the endpoint: as configured, or less if a refusal showed that. */
  get limit(): number {
    return this.#size.limit;
  }

  /** Tokens of the endpoint for each token of our estimate. */
  get ratio(): number {
    return this.#size.ratio;
  }

  /** Tokens, as this side counts them, from which older messages are replaced by a summary. */
  get threshold(): number {
    return Math.min(this.#size.toTokens(this.#threshold), this.#size.room);
  }

  /** Converts a share of the window to tokens as this side counts them. */
  toTokens(share: number): number {
    return this.#size.toTokens(share);
  }

  /** Largest result of a tool that does not only read, and largest page of an earlier result, in tokens as this side counts them. */
  get reportTokens(): number {
    return this.toTokens(Math.min(resultShare, reportTokens / this.limit));
  }

  /** Names of the tools that only read: the model chose how much of a text it reads. Default none. */
  set readers(names: ReadonlySet<string>) {
    this.#arrangement.readers = names;
  }

  /** True if the tool `read_output` is available to the model. Default false. */
  get hasHandles(): boolean {
    return this.#arrangement.hasHandles;
  }

  set hasHandles(value: boolean) {
    this.#arrangement.hasHandles = value;
  }

  /** Makes the messages of a request; null if instructions, tools and the newest message do not fit. */
  fit({ instructions, items, toolTokens }: WindowParts): FittedPrompt | null {
    const around = toolTokens + requestOverhead;
    const room = this.#size.mostRoom - around;
    const given = this.count(instructions);
    const before = this.#arrangement.state;
    const whole = this.#arrange(items, { around: around + given });
    const estimate = (tokens: number) => Math.ceil(around + tokens);
    if (whole.tokens + given <= room)
      return { instructions, messages: seal(whole.messages), estimate: estimate(whole.tokens + given) };
    this.#arrangement.restore(before);
    const shortened = this.#shortenInstructions(instructions, room);
    if (shortened === null) return null;
    const used = this.count(shortened);
    const rest = this.#arrange(items, { around: around + used });
    if (rest.tokens + used > room) return null;
    return {
      instructions: shortened,
      messages: seal(rest.messages),
      estimate: estimate(rest.tokens + used),
    };
  }

  /** Counts a request with old results elided and nothing else shortened, in tokens as this side counts them. */
  measure({ instructions, items, toolTokens }: WindowParts): {
    readonly tokens: number;
    readonly sizes: readonly number[];
  } {
    const around = toolTokens + requestOverhead + this.count(instructions);
    const { tokens, sizes } = this.#arrange(items, { around, hard: Number.POSITIVE_INFINITY });
    return { tokens: around + tokens, sizes };
  }

  /** Makes a prompt of one text and the messages after it, apart from a run. */
  fitText(text: string, options: FitTextOptions): FittedPrompt {
    const { instructions = '', toolTokens = 0, followUp = [] } = options;
    const share = this.toTokens(followUpShare / Math.max(1, followUp.length));
    const after = followUp.map((message) => fitMessage(message, { maxTokens: share, count: this.count }));
    const afterTokens = after.reduce((sum, { tokens }) => sum + tokens, 0);
    const content = shorten(text, {
      maxTokens: Math.max(leastTextTokens, this.textRoom(options) - afterTokens),
      count: this.count,
      note: ({ chars }) => `[${chars} characters are left out here, because of the context window.]`,
    });
    const taken = this.count(instructions) + toolTokens + afterTokens + requestOverhead;
    const messages = seal([{ role: 'user', content }, ...after.map(({ message }) => message)]);
    return { instructions, messages, estimate: taken + this.count(content) };
  }

  /** Makes a prompt of a conversation: its newest message, shortened if need be, and as many before it as fit. */
  fitConversation(messages: readonly ModelMessage[], options: FitTextOptions): FittedPrompt {
    const { instructions = '' } = options;
    const shown = takeNewest(messages, { maxTokens: this.textRoom(options), count: this.count });
    const used = shown.reduce((sum, { tokens }) => sum + tokens, 0);
    // Some providers refuse to begin with an answer.
    const first = Math.max(
      0,
      shown.findIndex(({ message }) => message.role === 'user'),
    );
    const estimate = this.count(instructions) + requestOverhead + used;
    return { instructions, messages: seal(shown.slice(first).map(({ message }) => message)), estimate };
  }

  /** Room for such a text, in tokens as this side counts them. */
  textRoom({ instructions = '', answer, toolTokens = 0 }: FitTextOptions) {
    const around = this.count(instructions) + toolTokens + requestOverhead + 8;
    return Math.max(leastTextTokens, this.#size.roomBeside(answer) - around);
  }

  /** Learns from the endpoint's count of a request that it answered. */
  learn({ estimate }: FittedPrompt, inputTokens: number): void {
    this.#size.learn(estimate, inputTokens);
  }

  /**
   * Learns from a request that failed. True if it was too long for the model and a smaller prompt is worth a request: not after
   * six such refusals in a row.
   */
  shrinkAfter({ estimate }: FittedPrompt, error: unknown): boolean {
    const failure = classifyModelError(error);
    if (failure.kind !== 'context-too-long') return false;
    return this.#size.shrink(estimate, failure) <= maxRefusals;
  }

  /** Forgets how messages were shortened that a summary replaced. */
  forget(range: { readonly startSeq: number; readonly endSeq: number }): void {
    this.#arrangement.forget(range);
  }

  /** Takes the state that an earlier process stored; a state of another form is ignored. */
  restore(state: JsonValue): void {
    const { shortened, ...size } = state as unknown as NonNullable<ReturnType<ContextWindow['takeChange']>>;
    if (!Array.isArray(shortened?.sizes)) return;
    this.#size.restore(size);
    this.#arrangement.restore(shortened);
    this.#saved = JSON.stringify(this.#state());
  }

  /** State to store for a process that resumes the run; null if no message was shortened since the last time. */
  takeChange(): {
    readonly limit: number;
    readonly ratio: number;
    readonly shortened: ArrangementState;
  } | null {
    const state = this.#state();
    const text = JSON.stringify(state);
    if (text === this.#saved) return null;
    this.#saved = text;
    return { ...state, ratio: this.ratio };
  }

  #state() {
    return { limit: this.limit, shortened: this.#arrangement.state };
  }

  #arrange(
    items: readonly ContextItem[],
    { around, hard = this.#size.room - around }: { readonly around: number; readonly hard?: number },
  ) {
    return this.#arrangement.arrange(items, {
      soft: this.threshold - around,
      hard,
      step: this.toTokens(elisionShare),
      result: this.toTokens(resultShare),
      report: this.reportTokens,
    });
  }

  #shortenInstructions(instructions: string, room: number): string | null {
    const maxTokens = Math.floor(room * 0.6);
    if (maxTokens < 128 || this.count(instructions) <= maxTokens) return null;
    this.#size.warnOnce('instructions do not fit the context window; shortened them', {
      contextLength: this.limit,
    });
    return shorten(instructions, {
      maxTokens,
      count: this.count,
      keep: 'start',
      note: ({ chars }) =>
        `[${chars} characters of these instructions are left out, because of the context window.]`,
    });
  }
}

function seal(messages: readonly ModelMessage[]): FittedMessages {
  return messages as FittedMessages;
}

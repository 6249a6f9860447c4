import { estimateTokens, type Logger, type TokenCounter } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { ModelFailure } from '../classify-model-error.ts';
import type { JsonValue } from '../model.ts';
import type { ContextItem } from '../replay-journal.ts';
import { Arrangement, type ArrangementState } from './arrangement.ts';
import { shorten } from './excerpt.ts';

declare const fitted: unique symbol;

/** Messages of a request that were fitted to the window. Only a `ContextWindow` makes them. */
export type FittedMessages = readonly ModelMessage[] & { readonly [fitted]: true };

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

export interface ContextWindowOptions {
  /** Tokens of question and answer together. Default 128,000; 32,768 instead of an invalid value, which is logged. */
  readonly contextLength?: number | undefined;
  /** Share of the window from which older parts are elided and summarized. Default 0.7. */
  readonly compressionThreshold?: number | undefined;
  /** Default an estimate from classes of characters, a fifth too high. */
  readonly countTokens?: TokenCounter | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/** Refusal of a request that was too long, with the endpoint's numbers if it gives them. */
type Refusal = Pick<ModelFailure, 'kind'> & {
  readonly limitTokens?: number | null | undefined;
  readonly requestTokens?: number | null | undefined;
};

/** Until a refusal tells the size. */
const unknownContextLength = 128_000;
/** Usual size of a model that runs locally. */
const localContextLength = 32_768;
const defaultThreshold = 0.7;
/** Smallest window that an endpoint is believed to have. */
const smallestWindow = 256;

const answerShare = 0.2;
/** Share of the window that is left for the answer if a prompt cannot be made smaller. */
const leastAnswerShare = 0.1;
const answerTokens = { min: 512, max: 16_384 };
/** Share of the window for one result of a tool. */
const resultShare = 0.25;
/** Share of the window that is freed when results are elided: rarely, so that the prefix stays in the provider's cache. */
const elisionShare = 0.25;
/** Tokens around the messages of a request. */
const requestOverhead = 16;
/** Counts outside of these shares of the estimate are not counts of the whole request. */
const plausibleRatio = { min: 0.3, max: 4 };
const largestRatio = 20;

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
  readonly #logger: Logger | null;
  readonly #configured: number;
  readonly #threshold: number;
  readonly #arrangement: Arrangement;
  readonly #warned = new Set<string>();
  #limit: number;
  #ratio = 1;
  /** Refusals since the last answer. */
  #refusals = 0;
  #saved = '';

  constructor(options: ContextWindowOptions = {}) {
    const { contextLength, compressionThreshold, countTokens = estimateTokens, logger = null } = options;
    this.#logger = logger;
    this.count = countTokens;
    this.#configured = this.#check('contextLength', contextLength ?? unknownContextLength, {
      isValid: (value) => Number.isFinite(value) && value > 0,
      instead: localContextLength,
    });
    this.#threshold = this.#check('compressionThreshold', compressionThreshold ?? defaultThreshold, {
      isValid: (value) => value > 0 && value <= 1,
      instead: defaultThreshold,
    });
    this.#limit = this.#configured;
    this.#arrangement = new Arrangement(countTokens);
    this.#saved = JSON.stringify(this.#state());
  }

  /** Size of the window in tokens of the endpoint: as configured, or less if a refusal showed that. */
  get limit(): number {
    return this.#limit;
  }

  /** Tokens of the endpoint for each token of our estimate. */
  get ratio(): number {
    return this.#ratio;
  }

  /** Tokens, as this side counts them, from which older messages are replaced by a summary. */
  get threshold(): number {
    return Math.min((this.#limit * this.#threshold) / this.#ratio, this.#room());
  }

  /** Converts a share of the window to tokens as this side counts them. */
  toTokens(share: number): number {
    return Math.floor((this.#limit * share) / this.#ratio);
  }

  /** Largest result of a tool, in tokens as this side counts them. */
  get resultTokens(): number {
    return this.toTokens(resultShare);
  }

  /** True if the tool `read_output` is available to the model. Default false. */
  set hasHandles(value: boolean) {
    this.#arrangement.hasHandles = value;
  }

  /** Makes the messages of a request; null if instructions, tools and the newest message do not fit. */
  fit({ instructions, items, toolTokens }: WindowParts): FittedPrompt | null {
    const around = toolTokens + requestOverhead;
    const most = Math.floor((this.#limit * (1 - leastAnswerShare)) / this.#ratio);
    const room = Math.max(this.#room(), most) - around;
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

  /** Makes a prompt of one text, with room for an answer of this share of the window. */
  fitText(
    text: string,
    { instructions = '', answer }: { readonly instructions?: string | undefined; readonly answer: number },
  ): FittedPrompt {
    const taken = this.count(instructions) + requestOverhead;
    const content = shorten(text, {
      maxTokens: this.textRoom({ instructions, answer }),
      count: this.count,
      note: ({ chars }) => `[${chars} characters are left out here, because of the context window.]`,
    });
    const estimate = taken + this.count(content);
    return { instructions, messages: seal([{ role: 'user', content }]), estimate };
  }

  /** Room for such a text, in tokens as this side counts them. */
  textRoom({
    instructions = '',
    answer,
  }: {
    readonly instructions?: string | undefined;
    readonly answer: number;
  }) {
    const reserve = Math.max(this.#reserve(), this.#limit * answer);
    const room = (this.#limit - reserve) / this.#ratio - this.count(instructions) - requestOverhead - 8;
    return Math.max(64, Math.floor(room));
  }

  /** Learns from the endpoint's count of a request that it answered. */
  learn({ estimate }: FittedPrompt, inputTokens: number): void {
    this.#refusals = 0;
    const measured = inputTokens / estimate;
    if (!(measured >= plausibleRatio.min && measured <= plausibleRatio.max)) return;
    this.#ratio = measured >= this.#ratio ? measured : (this.#ratio + measured) / 2;
    if (inputTokens > this.#configured) {
      this.#warnOnce('model accepted a prompt longer than llm.context_length; it may be set too small', {
        contextLength: this.#configured,
        inputTokens,
      });
    }
  }

  /** Learns from a refusal: the next prompt is smaller by at least a tenth. */
  shrink({ estimate }: FittedPrompt, { limitTokens, requestTokens }: Refusal): void {
    const asked = toCount(requestTokens);
    const limit = toCount(limitTokens);
    const believed = estimate * this.#ratio;
    if (limit !== null && limit < this.#limit) this.#lower(limit);
    if (asked !== null) this.#raiseRatio(asked / estimate);
    else if (limit !== null) this.#raiseRatio(Math.max(this.#ratio * 1.25, limit / estimate));
    // Without numbers: first the estimate is doubted, then the configured size.
    else if (this.#refusals === 0 && believed > this.#limit * 0.6) this.#raiseRatio(this.#ratio * 1.25);
    else this.#lower(believed / 2 + this.#reserve());
    this.#refusals += 1;
    const most = estimate * 0.9;
    if (this.#room() > most) this.#raiseRatio((this.#limit - this.#reserve()) / most);
    if (this.#room() > most) this.#lower(Math.max(smallestWindow, most * this.#ratio));
  }

  /** Forgets how messages were shortened that a summary replaced. */
  forget(range: { readonly startSeq: number; readonly endSeq: number }): void {
    this.#arrangement.forget(range);
  }

  /** Takes the state that an earlier process stored. */
  restore(state: JsonValue): void {
    const { limit, ratio, shortened } = state as unknown as ReturnType<ContextWindow['takeChange']> & object;
    if (toCount(limit) !== null) this.#limit = Math.min(this.#limit, limit);
    if (ratio > 0 && ratio <= largestRatio) this.#ratio = ratio;
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
    return { ...state, ratio: this.#ratio };
  }

  #state() {
    return { limit: this.#limit, shortened: this.#arrangement.state };
  }

  #arrange(
    items: readonly ContextItem[],
    { around, hard = this.#room() - around }: { readonly around: number; readonly hard?: number },
  ) {
    return this.#arrangement.arrange(items, {
      soft: this.threshold - around,
      hard,
      step: this.toTokens(elisionShare),
      result: this.resultTokens,
    });
  }

  /** The first rules stand at the beginning, so that the end is cut. */
  #shortenInstructions(instructions: string, room: number): string | null {
    const maxTokens = Math.floor(room * 0.6);
    if (maxTokens < 128 || this.count(instructions) <= maxTokens) return null;
    this.#warnOnce('instructions do not fit the context window; shortened them', {
      contextLength: this.#limit,
    });
    return shorten(instructions, {
      maxTokens,
      count: this.count,
      keep: 'start',
      note: ({ chars }) =>
        `[${chars} characters of these instructions are left out, because of the context window.]`,
    });
  }

  #reserve(): number {
    const wanted = Math.min(answerTokens.max, Math.max(answerTokens.min, this.#limit * answerShare));
    return Math.min(wanted, this.#limit / 2);
  }

  #room(): number {
    return Math.floor((this.#limit - this.#reserve()) / this.#ratio);
  }

  #raiseRatio(ratio: number): void {
    this.#ratio = Math.min(largestRatio, Math.max(this.#ratio, ratio));
  }

  #lower(limit: number): void {
    this.#limit = Math.max(smallestWindow, Math.min(this.#limit, Math.floor(limit)));
    this.#warnOnce('model accepts fewer tokens than llm.context_length; using the learned size', {
      contextLength: this.#configured,
      learned: this.#limit,
    });
  }

  #check(
    option: string,
    value: number,
    { isValid, instead }: { readonly isValid: (value: number) => boolean; readonly instead: number },
  ): number {
    if (isValid(value)) return value;
    this.#logger?.warn({ option }, 'ignoring invalid option; using default');
    return instead;
  }

  #warnOnce(message: string, fields: object): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#logger?.warn(fields, message);
  }
}

function seal(messages: readonly ModelMessage[]): FittedMessages {
  return messages as FittedMessages;
}

function toCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

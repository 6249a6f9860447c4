import type { Logger } from '@agent/text';

/** Refusal of a request that was too long, with the endpoint's numbers if it gives them. */
export interface Refusal {
  readonly limitTokens?: number | null | undefined;
  readonly requestTokens?: number | null | undefined;
}

export interface WindowSizeOptions {
  /** Tokens of question and answer together. */
  readonly contextLength: number | undefined;
  readonly logger: Logger | null;
}

/** Until a refusal tells the size. */
const unknownContextLength = 128_000;
/** Smallest window that an endpoint is believed to have. */
const smallestWindow = 256;

const answerShare = 0.2;
/** Share of the window that is left for the answer if a prompt cannot be made smaller. */
const leastAnswerShare = 0.1;
const answerTokens = { min: 512, max: 16_384 };
/** Counts outside of these shares of the estimate are not counts of the whole request. */
const plausibleRatio = { min: 0.3, max: 4 };
const largestRatio = 20;

/**
 * Size of a model's window, as configured and as its endpoint shows it: by its counts of requests that it answered, and by
 * its refusals of requests that were too long. Results are in tokens as this side counts them, unless they say otherwise.
 */
export class WindowSize {
  readonly #logger: Logger | null;
  readonly #configured: number;
  readonly #warned = new Set<string>();
  #limit: number;
  #ratio = 1;
  /** Refusals since the last answer. */
  #refusals = 0;

  constructor({ contextLength = unknownContextLength, logger }: WindowSizeOptions) {
    this.#logger = logger;
    this.#configured = contextLength;
    this.#limit = this.#configured;
  }

  /** Tokens of the endpoint: as configured, or less if a refusal showed that. */
  get limit(): number {
    return this.#limit;
  }

  /** Tokens of the endpoint for each token of our estimate. */
  get ratio(): number {
    return this.#ratio;
  }

  /** Room for a prompt beside the answer. */
  get room(): number {
    return this.#roomBeside(this.#reserve());
  }

  /** Room for a prompt that cannot be made smaller. */
  get mostRoom(): number {
    return this.#roomBeside(Math.min(this.#reserve(), this.#limit * leastAnswerShare));
  }

  /** Room for a prompt if the answer takes this share of the window. */
  roomBeside(share: number): number {
    return this.#roomBeside(Math.max(this.#reserve(), this.#limit * share));
  }

  toTokens(share: number): number {
    return Math.floor((this.#limit * share) / this.#ratio);
  }

  /** Learns from the endpoint's count of a request that it answered. */
  learn(estimate: number, inputTokens: number): void {
    this.#refusals = 0;
    const measured = inputTokens / estimate;
    if (!(measured >= plausibleRatio.min && measured <= plausibleRatio.max)) return;
    this.#ratio = measured >= this.#ratio ? measured : (this.#ratio + measured) / 2;
    if (inputTokens <= this.#configured) return;
    this.warnOnce('model accepted a prompt longer than llm.context_length; it may be set too small', {
      contextLength: this.#configured,
      inputTokens,
    });
  }

  /**
   * Learns from a refusal: afterwards there is room for nine tenths of the request at most. Gives the number of refusals since the last
   * answer.
   */
  shrink(estimate: number, { limitTokens, requestTokens }: Refusal): number {
    const asked = toCount(requestTokens);
    const limit = toCount(limitTokens);
    const believed = estimate * this.#ratio;
    // Numbers far beyond the request are those of an account, or of another model.
    const isPlausible = (tokens: number | null): tokens is number =>
      tokens !== null && tokens / estimate <= plausibleRatio.max;
    if (limit !== null && limit < this.#limit) this.#lower(limit);
    if (isPlausible(asked)) this.#raiseRatio(asked / estimate);
    else if (isPlausible(limit)) this.#raiseRatio(Math.max(this.#ratio * 1.25, limit / estimate));
    // Without numbers: first the estimate is doubted, then the configured size.
    else if (this.#refusals === 0 && believed > this.#limit * 0.6) this.#raiseRatio(this.#ratio * 1.25);
    else this.#lower(believed / 2 + this.#reserve());
    this.#refusals += 1;
    const most = estimate * 0.9;
    if (this.room > most) this.#raiseRatio((this.#limit - this.#reserve()) / most);
    if (this.room > most) this.#lower(Math.max(smallestWindow, most * this.#ratio));
    return this.#refusals;
  }

  /** Takes the values that an earlier process learned. */
  restore({ limit, ratio }: { readonly limit: unknown; readonly ratio: unknown }): void {
    this.#limit = Math.min(this.#limit, toCount(limit) ?? this.#limit);
    this.#ratio = Math.min(largestRatio, toCount(ratio) ?? this.#ratio);
  }

  warnOnce(message: string, fields: object): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#logger?.warn(fields, message);
  }

  #reserve(): number {
    const wanted = Math.min(answerTokens.max, Math.max(answerTokens.min, this.#limit * answerShare));
    return Math.min(wanted, this.#limit / 2);
  }

  #roomBeside(reserve: number): number {
    return Math.floor((this.#limit - reserve) / this.#ratio);
  }

  #raiseRatio(ratio: number): void {
    this.#ratio = Math.min(largestRatio, Math.max(this.#ratio, ratio));
  }

  #lower(limit: number): void {
    this.#limit = Math.max(smallestWindow, Math.min(this.#limit, Math.floor(limit)));
    this.warnOnce('model accepts fewer tokens than llm.context_length; using the learned size', {
      contextLength: this.#configured,
      learned: this.#limit,
    });
  }
}

function toCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { classifyModelError, type ModelFailure, ModelUnavailable } from './classify-model-error.ts';

/** Options of `ModelCircuit`. */
export interface ModelCircuitOptions {
  /** Failures in a row, of all that ask, until nothing more is asked for a while. Default 3. */
  readonly maxFailures?: number | undefined;
  /** The first wait, in milliseconds; doubled with each probe that fails. Default 1,000. */
  readonly firstWaitMs?: number | undefined;
  /** The longest wait, in milliseconds, unless the endpoint asks for a longer one. Default 60,000. */
  readonly longestWaitMs?: number | undefined;
  /** Told after each change of `state`. */
  readonly onChange?: ((state: ModelCircuitState) => void) | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** From 0 up to 1; spreads the waits. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

const expectations: ExpectationsOf<ModelCircuitOptions> = {
  maxFailures: expectNumber(1),
  firstWaitMs: expectNumber(0),
  longestWaitMs: expectNumber(0),
  onChange: expected.function,
  now: expected.function,
  random: expected.function,
};

/** An endpoint's state: asked freely, or not until a time, and then by one probe at a time. */
export interface ModelCircuitState {
  readonly status: 'closed' | 'open';
  /** When the first of the failures that still last came, in milliseconds since 1970; null while closed. */
  readonly since: number | null;
  /** The last failure; null while closed. */
  readonly failure: ModelFailure | null;
}

const closed: ModelCircuitState = { status: 'closed', since: null, failure: null };

type GenerateCall = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0];
type WatchedCall = Pick<GenerateCall, 'model' | 'params'>;

type NamedModel = Pick<WatchedCall['model'], 'provider' | 'modelId'>;

const toName = ({ provider, modelId }: NamedModel): string => `${provider}/${modelId}`;

/** Failures that a short request without tools does not meet: what waits is sent itself as the probe, and costs nothing while it is refused. */
const isOfWholeRequest = ({ kind }: ModelFailure): boolean => kind === 'no-quota' || kind === 'no-tools';

/** Asks for next to nothing. Fewer tokens than 16 are refused by some endpoints. */
const shortRequest: Pick<GenerateCall['params'], 'prompt' | 'maxOutputTokens'> = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with OK.' }] }],
  maxOutputTokens: 16,
};

/**
 * Remembers whether one model endpoint answers, for everything that asks it. After some failures in a row, at once
 * when it asks to wait or a person has to fix something, nothing is asked any more; when the wait is over one short
 * request goes out as a probe, before the request that waits, and the first answer lets all go on. A request that fails
 * after its probe was answered is thus known to be at fault itself. What gets no answer that can be read is followed by a
 * short request, too: where that gets none either, the address is at fault, and somebody has to fix it.
 *
 * @example
 * const circuit = new ModelCircuit();
 * const availability = awaitModel(circuit, { sleep });
 * await runTask({ model: circuit.watch(model), availability, tools, journal, openConversation });
 */
export class ModelCircuit {
  readonly #options: ModelCircuitOptions;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #state = closed;
  #failures = 0;
  #firstFailureAt: number | null = null;
  #waitedUntil = 0;
  #probe: object | null = null;
  #answers = 0;
  #isProbed = false;
  /** Model that failed last, and how it is asked. */
  #failed: WatchedCall | null = null;
  /** Failures that an operator has to fix, by model: another model's answer proves nothing about them. */
  readonly #blocked = new Map<string, ModelFailure>();

  constructor(options: ModelCircuitOptions = {}) {
    checkOptions('ModelCircuitOptions', options, expectations);
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get state(): ModelCircuitState {
    return this.#state;
  }

  /** Answers so far: whoever fails while it grows is not failing for the endpoint's sake. */
  get answers(): number {
    return this.#answers;
  }

  /** True while the circuit is open and a probe has failed, too: the failures are not those of single requests. */
  get isOutage(): boolean {
    return this.#isProbed;
  }

  /** Milliseconds until a request may go out; null while a probe is under way, 0 when one may go now. */
  get waitMs(): number | null {
    if (this.#state.status === 'closed') return 0;
    return this.#probe === null ? Math.max(0, this.#waitedUntil - this.#now()) : null;
  }

  /** Calls the listener after each probe and each change, until the function that it gives back is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The same model, which is not asked while the circuit is open; each call tells the circuit how it went. */
  watch(model: LanguageModel): LanguageModel {
    if (typeof model === 'string') return model;
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: 'v4',
        wrapGenerate: ({ doGenerate, ...call }) => this.#guard(() => doGenerate(), call),
        wrapStream: ({ doStream, ...call }) => this.#guard(() => doStream(), call),
      },
    });
  }

  /**
   * Asks for next to nothing, where the endpoint is away and may be asked: a process to which nothing falls learns by it that the endpoint
   * answers again. Does nothing after a failure that a short request does not meet. Never rejects.
   */
  async probe({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { failure } = this.#state;
    if (this.#failed === null || failure === null || isOfWholeRequest(failure) || this.waitMs !== 0) return;
    const { model, params } = this.#failed;
    const pass = {};
    this.#probe = pass;
    await this.#askShortly({ model, params: { ...params, abortSignal: signal } }).catch(() => {});
    if (this.#probe === pass) this.#probe = null;
    this.#tell();
  }

  async #guard<Result>(call: () => PromiseLike<Result>, watched: WatchedCall): Promise<Result> {
    const pass = this.#enter(watched);
    const isProbe = this.#probe === pass;
    const { failure } = this.#state;
    const isWhole = isProbe && failure !== null && isOfWholeRequest(failure);
    try {
      if (isProbe && !isWhole) await this.#askShortly(watched);
      return await this.#attempt(call, watched);
    } catch (error) {
      const { remedy, kind } = classifyModelError(error);
      if (isWhole && remedy === 'operator') this.#isProbed = true;
      // The answer does not show whether the request or the address is at fault: does a short request get an answer?
      if (remedy === 'retry' && kind !== 'bad-call') await this.#askShortly(watched, { cause: error });
      throw error;
    } finally {
      if (this.#probe === pass) this.#probe = null;
      this.#tell();
    }
  }

  /** The probe. Throws `ModelUnavailable` when it fails, with the error of the request before it as cause; lets everything go on otherwise. */
  async #askShortly(watched: WatchedCall, before?: { readonly cause: unknown }): Promise<void> {
    const { abortSignal, providerOptions, headers } = watched.params;
    const request = { ...shortRequest, abortSignal, providerOptions, headers } as GenerateCall['params'];
    const ask = () => watched.model.doGenerate(request);
    await this.#attempt(ask, { ...watched, isShort: true }).catch((error: unknown) => {
      const { failure } = this.#state;
      // An answer that refuses it is one, too.
      if (failure === null) return;
      this.#isProbed = true;
      throw new ModelUnavailable(failure, before ?? { cause: error });
    });
    this.#probe = null;
    this.#tell();
  }

  async #attempt<Result>(
    call: () => PromiseLike<Result>,
    { model, params, isShort = false }: WatchedCall & { readonly isShort?: boolean },
  ): Promise<Result> {
    const { abortSignal: signal } = params;
    try {
      const result = await call();
      this.#answered(model);
      return result;
    } catch (error) {
      const isTimeout =
        signal?.aborted === true && (signal.reason as Error | undefined)?.name === 'TimeoutError';
      const failure = classifyModelError(isTimeout ? signal.reason : error, { now: this.#now });
      const isNoEndpoint = isShort && failure.remedy === 'retry';
      const { providerOptions, headers } = params;
      this.#failed = { model, params: { prompt: [], providerOptions, headers } as GenerateCall['params'] };
      const learned: ModelFailure = isNoEndpoint ? { ...failure, remedy: 'operator' } : failure;
      if (signal?.aborted !== true || isTimeout) this.#learn(learned, model);
      throw error;
    }
  }

  #enter({ model }: WatchedCall): object {
    const pass = {};
    const { failure } = this.#state;
    const isOthers = failure?.remedy === 'operator' && !this.#blocked.has(toName(model));
    if (failure === null || isOthers) return pass;
    if (this.waitMs !== 0) throw new ModelUnavailable(this.#blocked.get(toName(model)) ?? failure);
    this.#probe = pass;
    return pass;
  }

  #answered(model: NamedModel): void {
    this.#answers += 1;
    this.#blocked.delete(toName(model));
    const [blocked] = this.#blocked.values();
    if (blocked === undefined) this.#close();
    else if (this.#state.failure?.remedy === 'wait') this.#open(blocked);
  }

  #learn(failure: ModelFailure, model: NamedModel): void {
    // It answered, if only to say that this request is not valid.
    if (failure.remedy === 'none' || failure.kind === 'bad-call') this.#answered(model);
    // What is at fault in other cases is learned from the short request that follows.
    if (failure.remedy === 'none' || failure.remedy === 'retry') return;
    if (failure.remedy === 'operator') this.#blocked.set(toName(model), failure);
    this.#failures += 1;
    this.#firstFailureAt ??= this.#now();
    const { maxFailures = 3 } = this.#options;
    const isClear = failure.remedy === 'operator' || (failure.retryAfterMs ?? 0) > 0;
    if (this.#failures < maxFailures && !isClear) return;
    const waitMs = Math.max(failure.retryAfterMs ?? 0, this.#backOff(this.#failures - 1));
    this.#waitedUntil = Math.max(this.#waitedUntil, this.#now() + waitMs);
    this.#open(failure);
  }

  #open(failure: ModelFailure): void {
    this.#state = { status: 'open', since: this.#firstFailureAt, failure };
    this.#options.onChange?.(this.#state);
  }

  /** Between half and the whole of the wait, so that many daemons do not come back at once. */
  #backOff(probes: number): number {
    const { firstWaitMs = 1_000, longestWaitMs = 60_000, random = Math.random } = this.#options;
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(probes, 30));
    return wait * (0.5 + random() / 2);
  }

  #close(): void {
    this.#failures = 0;
    this.#firstFailureAt = null;
    this.#waitedUntil = 0;
    this.#isProbed = false;
    if (this.#state === closed) return;
    this.#state = closed;
    this.#options.onChange?.(closed);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

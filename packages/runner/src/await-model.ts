import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import type { ModelFailure } from './classify-model-error.ts';
import type { ModelCircuit } from './model-circuit.ts';
import type { ModelAvailability } from './ports.ts';
import type { Sleep } from './run-options.ts';

/** Options of the wait for a model that is away. */
export interface AwaitModelOptions {
  /** Longest wait before the run passes a checkpoint, in milliseconds. Default 15,000. */
  readonly checkpointMs?: number | undefined;
  /**
   * Longest outage that is waited for, in milliseconds; then the run is left. A failure that a person has to fix is not waited
   * for then. Default: as long as it takes.
   */
  readonly maxOutageMs?: number | undefined;
  /** Failures of one step, though the endpoint answered others meanwhile, after which it is given up. Default 5. */
  readonly maxStepFailures?: number | undefined;
  /** Waits; rejects when its signal aborts. */
  readonly sleep: Sleep;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const expectations: ExpectationsOf<AwaitModelOptions> = {
  checkpointMs: expectNumber(0),
  maxOutageMs: expectNumber(0),
  maxStepFailures: expectNumber(1),
  sleep: expected.function,
  now: expected.function,
};

/**
 * Lets one run wait for a model as long as the circuit is open. A step that fails by itself, time after time, is no
 * outage: one that the endpoint gives no answer to within its time, or refuses while it answers others, if only the
 * circuit's probes. An endpoint that names a time at which to ask again is waited for.
 *
 * @example
 * const availability = awaitModel(circuit, { sleep, maxOutageMs: 600_000 });
 */
export function awaitModel(circuit: ModelCircuit, options: AwaitModelOptions): ModelAvailability {
  checkOptions('AwaitModelOptions', options, expectations, ['sleep']);
  const { checkpointMs = 15_000, maxOutageMs, maxStepFailures = 5, now = Date.now } = options;
  /** Failures of the step at hand, and those of them that are its own. */
  let tries = 0;
  let failures = 0;
  let retryAt = 0;
  let answersBefore = circuit.answers;
  return {
    admit: async ({ signal }) => {
      const { waitMs, state } = circuit;
      const pauseMs = retryAt - now();
      if (waitMs === 0 && pauseMs <= 0) return 'go';
      const restMs = waitMs === null ? null : Math.max(waitMs, pauseMs);
      const outageMs = state.since === null ? 0 : now() - state.since;
      const isTooLong = maxOutageMs !== undefined && outageMs + (waitMs ?? 0) > maxOutageMs;
      const isForOperator = state.failure?.remedy === 'operator' && circuit.isOutage;
      if (isTooLong || (maxOutageMs !== undefined && isForOperator)) return 'later';
      await sleepUntilToldOf(circuit, {
        milliseconds: Math.min(restMs ?? checkpointMs, checkpointMs),
        signal,
        sleep: options.sleep,
      });
      return 'wait';
    },
    afterFailure: (failure: ModelFailure) => {
      if (failure.wasAsked) {
        tries += 1;
        if (isOwn(failure, { hasAnswered: circuit.answers > answersBefore })) failures += 1;
        answersBefore = circuit.answers;
        const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries - 1, 30));
        retryAt = now() + Math.max(failure.retryAfterMs ?? 0, pauseMs);
      }
      return failures >= maxStepFailures ? 'give-up' : 'wait';
    },
    afterAnswer: () => {
      tries = 0;
      failures = 0;
      retryAt = 0;
      answersBefore = circuit.answers;
    },
  };
}

/** Pauses between the tries of one step, in milliseconds: doubled with each try. */
const firstPauseMs = 1_000;

const longestPauseMs = 15_000;

/**
 * Tells whether a failure counts against its step. Too much at a time is what other answers use up, and what an operator has to fix is
 * no fault of the step, whatever else the endpoint answers; a bare 403 can be a filter in between that refuses this text.
 */
function isOwn(
  { kind, remedy, status }: ModelFailure,
  { hasAnswered }: { readonly hasAnswered: boolean },
): boolean {
  if (kind === 'timeout') return true;
  if (kind === 'rate-limited' || (remedy === 'operator' && status !== 403)) return false;
  return hasAnswered;
}

async function sleepUntilToldOf(
  circuit: ModelCircuit,
  {
    milliseconds,
    signal,
    sleep,
  }: { readonly milliseconds: number; readonly signal?: AbortSignal | undefined; readonly sleep: Sleep },
): Promise<void> {
  const woken = new AbortController();
  const unsubscribe = circuit.subscribe(() => woken.abort());
  const either = AbortSignal.any([woken.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    await sleep(milliseconds, { signal: either });
  } catch (error) {
    if (!either.aborted) throw error;
  } finally {
    unsubscribe();
  }
}

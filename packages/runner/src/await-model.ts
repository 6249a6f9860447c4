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

/**
 * Lets one run wait for a model as long as the circuit is open. A step that fails by itself, time after time, is no
 * outage: one that the endpoint gives no answer to within its time, or refuses while it answers others, if only the
 * circuit's probes. An endpoint that names a time at which to ask again is waited for.
 *
 * @example
 * const availability = awaitModel(circuit, { sleep, maxOutageMs: 600_000 });
 */
export function awaitModel(circuit: ModelCircuit, options: AwaitModelOptions): ModelAvailability {
  const { checkpointMs = 15_000, maxOutageMs, maxStepFailures = 5, now = Date.now } = options;
  let failures = 0;
  let answersBefore = circuit.answers;
  return {
    admit: async ({ signal }) => {
      const { waitMs, state } = circuit;
      if (waitMs === 0) return 'go';
      const outageMs = state.since === null ? 0 : now() - state.since;
      const isTooLong = maxOutageMs !== undefined && outageMs + (waitMs ?? 0) > maxOutageMs;
      const isForOperator = state.failure?.remedy === 'operator' && circuit.isOutage;
      if (isTooLong || (maxOutageMs !== undefined && isForOperator)) return 'later';
      await sleepUntilToldOf(circuit, {
        milliseconds: Math.min(waitMs ?? checkpointMs, checkpointMs),
        signal,
        sleep: options.sleep,
      });
      return 'wait';
    },
    afterFailure: ({ kind, wasAsked, retryAfterMs }: ModelFailure) => {
      // Too much at a time is what other answers use up.
      const isLimited = kind === 'rate-limited' && retryAfterMs !== null;
      const isOwn = wasAsked && !isLimited && (kind === 'timeout' || circuit.answers > answersBefore);
      if (wasAsked) answersBefore = circuit.answers;
      if (isOwn) failures += 1;
      return failures >= maxStepFailures ? 'give-up' : 'wait';
    },
    afterAnswer: () => {
      failures = 0;
      answersBefore = circuit.answers;
    },
  };
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

import { performance } from 'node:perf_hooks';
import { describeModelFailure, ModelCircuit, type ModelCircuitState } from '@agent/runner';
import type { Locale } from '@agent/text';
import type { ObserveBoard } from '../board/board-event.ts';
import type { ConfiguredModel, RunLogger } from '../ports.ts';

/** The endpoint of the model, as all runs of this process see it. */
export interface ModelWatch {
  readonly circuit: ModelCircuit;
  /** Longest outage that a run waits for, in milliseconds; left out: as long as it takes. */
  readonly maxOutageMs: number | undefined;
  /** To be called by a run that has waited as long as anybody waits: no other is begun. */
  readonly giveUp: () => void;
  /**
   * Milliseconds that no task may begin, beside so many that run; 0 while the endpoint answers, or where none runs and one
   * is to try it.
   */
  readonly holdMs: (running: number) => number;
}

export interface WatchModelOptions {
  /** True where nobody waits for long: for an outage a minute, for what a person has to mend not at all. */
  readonly once: boolean;
  readonly stepTimeoutMs: number;
  readonly observe: ObserveBoard;
  readonly logger: RunLogger;
  readonly locale: Locale;
  readonly hideKnownSecrets: (text: string) => string;
  /** Called when the endpoint answers again. */
  readonly onReturn: () => void;
  /** Called when nobody waits any longer. */
  readonly onGivenUp: () => void;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

const onceWaitsMs = 60_000;
const probedAgainMs = 5_000;

/** Watches the model's endpoint: says on the board and in the log when it is away, and keeps tasks from beginning. */
export function watchModel(options: WatchModelOptions): ModelWatch {
  const { once, observe, logger, locale, stepTimeoutMs, hideKnownSecrets } = options;
  // Monotonic: a clock that is set must not end an outage, or make one.
  const { now = () => performance.now() } = options;
  const onChange = ({ status, failure }: ModelCircuitState): void => {
    if (status === 'closed' || failure === null) {
      observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
      logger.info({}, 'the model answers again');
      options.onReturn();
      return;
    }
    const reason = describeModelFailure(failure, { locale, timeoutMs: stepTimeoutMs, hideKnownSecrets });
    const isForOperator = failure.remedy === 'operator';
    const { kind, status: code, address } = failure;
    observe({ type: 'condition', part: 'model', state: isForOperator ? 'failed' : 'waiting', reason });
    logger[isForOperator ? 'error' : 'warn'](
      { kind, status: code, address, reason },
      isForOperator
        ? 'the model cannot be used; no task is begun until somebody mends it'
        : 'the model cannot be reached; no task is begun until it answers',
    );
  };
  const circuit = new ModelCircuit({ onChange, now });
  return {
    circuit,
    giveUp: options.onGivenUp,
    maxOutageMs: once ? onceWaitsMs : undefined,
    holdMs: (running) => {
      const { waitMs, state } = circuit;
      if (state.status === 'closed' || (waitMs === 0 && running === 0)) return 0;
      return Math.max(waitMs ?? 0, probedAgainMs);
    },
  };
}

/** The same model, which tells the watch of each call and is not asked while its endpoint is away. */
export function underWatch(configured: ConfiguredModel, { circuit }: ModelWatch): ConfiguredModel {
  const { model, chatModel } = configured;
  return {
    ...configured,
    model: circuit.watch(model),
    chatModel: chatModel === null ? null : circuit.watch(chatModel),
  };
}

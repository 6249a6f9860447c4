import { performance } from 'node:perf_hooks';
import {
  awaitModel,
  describeModelFailure,
  type ModelAvailability,
  ModelCircuit,
  type ModelCircuitState,
} from '@agent/runner';
import type { Locale } from '@agent/text';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../host/ports.ts';
import type { Waiting } from '../intents/call-with-retry.ts';
import { runTexts } from '../report/texts.ts';
import type { Run } from '../run/run.ts';

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
  /** True to wait one minute for an outage, and not at all for a problem that a person has to fix. */
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
      logger.info({}, 'model is available again');
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
        ? 'model is not usable; not starting tasks'
        : 'model is not reachable; not starting tasks',
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

/** Milliseconds that a model may be away before the thread hears of it. */
const quietMs = 600_000;

/** Wait of one run for its model. */
export interface ModelWait {
  readonly availability: ModelAvailability;
  /** Takes back what was said of the wait, where it is over. Never rejects. */
  readonly settle: () => Promise<void>;
}

export interface WaitForModelOptions extends Pick<Waiting, 'sleep'> {
  readonly watch: Pick<ModelWatch, 'circuit' | 'maxOutageMs'>;
}

type WaitingRun = Pick<Run, 'uuid' | 'state' | 'facts' | 'logger'> & {
  readonly thread: { readonly writer: Pick<Run['thread']['writer'], 'post'> };
  readonly claim: Pick<Run['claim'], 'isKept'>;
  readonly progress: Pick<Run['progress'], 'modelIsAway'>;
};

/**
 * Lets a run wait while its model is away. Its status comment names that; where it has none, a comment tells it once, after ten minutes, and
 * says when the model is back. A wait that goes on after a restart is told in the same comment, too.
 */
export function waitForModel(
  { watch: { circuit, maxOutageMs }, sleep }: WaitForModelOptions,
  run: WaitingRun,
  now: () => number = () => performance.now(),
): ModelWait {
  const texts = runTexts[run.facts.locale];
  const waiting = awaitModel(circuit, {
    maxOutageMs,
    now,
    sleep: (milliseconds, { signal }) => sleep(milliseconds, signal ?? new AbortController().signal),
  });
  const said = rememberSaid(run);
  const tell = (body: string) => run.thread.writer.post({ topic: `run:${run.uuid}:model`, body });
  const settle = async (): Promise<void> => {
    if (circuit.state.status === 'open' || !(await said.isWaiting())) return;
    await tell(texts.modelIsBack);
    await said.set(false);
  };
  return {
    settle,
    availability: {
      ...waiting,
      admit: async (options) => {
        const { since, failure } = circuit.state;
        if (since === null) await settle();
        else if (!run.claim.isKept && now() - since >= quietMs && !(await said.isWaiting())) {
          // A refused comment is written later: then the one that the model is back replaces it.
          await tell(texts.modelIsAway);
          await said.set(true);
        }
        run.progress.modelIsAway(failure);
        const admitted = await waiting.admit(options);
        // Who gives up waiting leaves it named.
        if (circuit.state.since === null) run.progress.modelIsAway(null);
        return admitted;
      },
    },
  };
}

/** Remembers whether the thread reads that the run waits, over restarts. */
function rememberSaid({ state, logger }: Pick<WaitingRun, 'state' | 'logger'>) {
  const name = 'waits_for_model';
  let isWaiting: boolean | null = null;
  return {
    isWaiting: async () => {
      isWaiting ??= await state.read(name).then(
        (kept) => kept !== null,
        () => false,
      );
      return isWaiting;
    },
    set: async (waits: boolean) => {
      isWaiting = waits;
      await state
        .write(name, waits ? '' : null, { sync: false })
        .catch((error: unknown) => logger.warn({ err: error }, 'failed to save model outage state'));
    },
  };
}

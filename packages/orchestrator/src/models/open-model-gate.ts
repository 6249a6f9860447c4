import { processLocale } from '@agent/text/locale';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment, RunLogger } from '../host/ports.ts';
import type { ModelWatch } from './watch-model.ts';

export interface ModelGateOptions {
  readonly once: boolean;
  readonly settings: Pick<RunSettings, 'llm'>;
  readonly environment: Environment;
  readonly hideKnownSecrets: (text: string) => string;
  readonly observe: ObserveBoard;
  readonly logger: RunLogger;
  /** Called when the endpoint answers again. */
  readonly onReturn: () => void;
}

/** The model's endpoint, as those see it who begin tasks. */
export interface ModelGate {
  /** Watches the endpoint from the first call on: what asks a model costs time that a process without work need not spend. */
  readonly openWatch: () => Promise<ModelWatch>;
  /** Milliseconds for which no task may begin beside this number of running tasks; 0 if one may. */
  readonly holdMs: (running: number) => number;
  /** Asks an endpoint that is away, for a process in which no run does. Never rejects. */
  readonly probe: (options: { readonly running: number; readonly signal: AbortSignal }) => Promise<void>;
  /** Aborted when nobody waits for the endpoint any longer. */
  readonly givenUp: AbortSignal;
}

/** Opens the gate that tasks pass while the model's endpoint answers, or one alone, to try it. */
export function openModelGate({ once, settings, environment, ...options }: ModelGateOptions): ModelGate {
  const hopeless = new AbortController();
  let watch: ModelWatch | null = null;
  options.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
  return {
    givenUp: hopeless.signal,
    openWatch: async () => {
      const { watchModel } = await import('./watch-model.ts');
      watch ??= watchModel({
        ...options,
        once,
        stepTimeoutMs: settings.llm.step_timeout_seconds * 1_000,
        locale: processLocale(environment),
        onGivenUp: () => hopeless.abort(),
      });
      return watch;
    },
    holdMs: (running) => watch?.holdMs(running) ?? 0,
    probe: async ({ running, signal }) => {
      if (running > 0 || watch === null || watch.circuit.state.status === 'closed') return;
      const limit = AbortSignal.timeout(settings.llm.step_timeout_seconds * 1_000);
      await watch.circuit.probe({ signal: AbortSignal.any([signal, limit]) });
    },
  };
}

import type { Logger } from '@agent/text';
import type { RunSignal, RunSignals } from './ports.ts';

interface CombineSignalsOptions {
  /** Hears of a source that could not be asked. Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * Several sources as one. They are asked in their order, so put the cheap ones first: after a pause, which wins,
 * the others are not asked. A source that fails has said nothing, and keeps no other from being heard.
 */
export function combineSignals(
  sources: readonly RunSignals[],
  { logger = null }: CombineSignalsOptions = {},
): RunSignals {
  return {
    read: async (options) => {
      const signals: RunSignal[] = [];
      for (const [index, source] of sources.entries()) {
        try {
          signals.push(await source.read(options));
        } catch (err) {
          if (options.signal?.aborted) throw err;
          logger?.warn({ err, source: index }, 'a source of pause and stop could not be asked; going on');
        }
        if (strongestSignal(signals) === 'pause') break;
      }
      return strongestSignal(signals);
    },
  };
}

/** Chooses among several answers: a pause wins over a stop, and either over nothing. @see scenario S8 of PAUSE_RESUME */
export function strongestSignal(signals: readonly RunSignal[]): RunSignal {
  if (signals.includes('pause')) return 'pause';
  return signals.includes('stop') ? 'stop' : 'none';
}

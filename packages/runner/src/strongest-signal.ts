import type { RunSignal } from './ports.ts';

/** What several answers come to: a pause wins over a stop, and either over nothing. @see scenario S8 of PAUSE_RESUME */
export function strongestSignal(signals: readonly RunSignal[]): RunSignal {
  if (signals.includes('pause')) return 'pause';
  return signals.includes('stop') ? 'stop' : 'none';
}

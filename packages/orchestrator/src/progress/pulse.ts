import type { ModelFailure, RunEvent } from '@agent/runner';
import type { RunProgress } from '../run/run.ts';

/** Something that a run at work waits for, by its process. Times are milliseconds since 1970. */
export type PulseWait =
  | { readonly kind: 'model' | 'agent' | 'model-away'; readonly since: number }
  /** An operator has to fix what the model's endpoint refuses. */
  | { readonly kind: 'model-operator'; readonly cause: ModelFailure['kind']; readonly since: number }
  | { readonly kind: 'tool'; readonly tool: string; readonly since: number };

/** Milliseconds after which a wait is named: what takes less would be over before anybody reads of it. */
const namedAfterMs = 30_000;

/** Knows what a run of this process waits for. */
export interface Pulse {
  /** Hears what the run does. */
  readonly hear: (event: RunEvent) => void;
  /** Receives why the model cannot be called; null if it can. */
  readonly modelIsAway: RunProgress['modelIsAway'];
  /** Reads the wait that is long enough to be named; null where the run is busy. */
  readonly read: () => PulseWait | null;
}

/** Creates one. `now`: milliseconds since 1970. */
export function createPulse(now: () => number): Pulse {
  let asked: PulseWait | null = null;
  let away: PulseWait | null = null;
  const tools = new Map<string, PulseWait>();
  const hear: Pulse['hear'] = (event) => {
    if (event.type === 'step-start') {
      tools.clear();
      asked = { kind: event.by ?? 'model', since: now() };
    }
    if (event.type === 'model-answer') asked = null;
    if (event.type === 'tool-start')
      tools.set(event.toolCallId, { kind: 'tool', tool: event.tool, since: now() });
    if (event.type === 'tool-end') tools.delete(event.toolCallId);
  };
  return {
    hear,
    modelIsAway: (failure) => {
      const since = away?.since ?? now();
      if (failure === null) away = null;
      else if (failure.remedy === 'operator') away = { kind: 'model-operator', cause: failure.kind, since };
      else away = { kind: 'model-away', since };
    },
    read: () => {
      // The oldest call stands first.
      const [tool = null] = tools.values();
      const wait = away ?? tool ?? asked;
      return wait !== null && now() - wait.since >= namedAfterMs ? wait : null;
    },
  };
}

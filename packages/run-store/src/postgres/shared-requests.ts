import type { ControlVerb, PauseSignal, RunControls } from '../controls/run-controls.ts';
import type { StorageSignals } from '../storage.ts';

/** Requests to the runs that are open here, and to all, as the database said them at one moment. */
export interface AskedOfRuns {
  readonly isPaused: boolean;
  /** Requests by run, of each that was asked about. */
  readonly verbs: Map<string, readonly ControlVerb[]>;
}

/** Requests to runs, as a member of the cluster remembers them, so that no checkpoint has to ask the database. */
export interface RequestMemory {
  /**
   * Begins a question. What is answered is remembered while `holds` says so, unless something was asked of anybody since the
   * question was sent.
   */
  readonly ask: () => (answer: AskedOfRuns, holds: () => boolean) => void;
  /**
   * Lets a member remember: all is forgotten at each request of any process, and after each gap in which one may have been
   * missed; then `renew` has it asked. Resolves with what ends it.
   */
  readonly open: (renew: () => Promise<void>) => Promise<() => Promise<void>>;
}

interface Requests {
  readonly controls: RunControls;
  readonly pauseSignal: PauseSignal;
}

interface Remembered extends AskedOfRuns {
  readonly holds: () => boolean;
}

/** Tells of a request, or of the signal that makes everything pause. */
const channel = 'controls';

/**
 * Requests that every process hears of at once. Whoever renews its lease reads them along with it, and then knows until the next
 * renewal what was not said: a notification says sooner, but nothing rests on its arrival.
 */
export function shareRequests({
  controls,
  pauseSignal,
  signals,
}: Requests & { readonly signals: StorageSignals }): Requests & { readonly memory: RequestMemory } {
  let changes = 0;
  let remembered: Remembered | null = null;
  let renewal: (() => Promise<void>) | null = null;
  const recall = () => (remembered?.holds() === true ? remembered : null);

  /** Null where nothing can be remembered, or something was asked of anybody in this very moment. */
  async function recallOrRenew(): Promise<Remembered | null> {
    if (recall() === null) await renewal?.();
    return recall();
  }

  function forget(): void {
    changes += 1;
    remembered = null;
  }

  /** Before the others are told: the next one who reads here may come sooner than the notification. */
  async function tell(change: Promise<void>, message: Parameters<StorageSignals['publish']>[1]) {
    await change.finally(forget);
    await signals.publish(channel, message);
  }

  return {
    controls: {
      list: controls.list,
      request: (uuid, verb, options) => tell(controls.request(uuid, verb, options), { uuid, verb }),
      remove: (uuid, verbs) => controls.remove(uuid, verbs).finally(forget),
      read: async (uuid) => {
        const known = await recallOrRenew();
        const verbs = known?.verbs.get(uuid);
        if (verbs !== undefined) return verbs;
        const before = changes;
        const found = await controls.read(uuid);
        // A run that was opened since the last renewal.
        if (changes === before) known?.verbs.set(uuid, found);
        return found;
      },
    },
    pauseSignal: {
      location: pauseSignal.location,
      isSet: async () => (await recallOrRenew())?.isPaused ?? pauseSignal.isSet(),
      read: pauseSignal.read,
      set: (options) => tell(pauseSignal.set(options), { all: 'pause' }),
      clear: () => tell(pauseSignal.clear(), { all: 'resume' }),
    },
    memory: {
      ask: () => {
        const before = changes;
        return ({ isPaused, verbs }, holds) => {
          if (changes === before) remembered = { isPaused, verbs, holds };
        };
      },
      open: async (renew) => {
        const end = await signals.subscribe(channel, { onMessage: forget, onGap: forget });
        renewal = renew;
        return async () => {
          if (renewal === renew) renewal = null;
          await end();
        };
      },
    },
  };
}

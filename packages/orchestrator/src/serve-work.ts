import type { Doorbell } from '@agent/platforms/sources';
import type { WorkQueue } from './queue/open-work-queue.ts';

interface ServedWork {
  readonly queue: Pick<WorkQueue, 'waiting' | 'hold'>;
  readonly doorbell: Pick<Doorbell, 'ring'>;
  /** Looks for tasks now. */
  readonly wake: () => void;
  /** Has the board say what the place of the runs is like now; resolves in a moment, whatever it is like. */
  readonly checkStorage: () => Promise<void>;
}

/** Serves what happens; gives back what ends it. */
export type ServeWork = (at: ServedWork) => Promise<() => Promise<void>>;

/** Work that may not have begun: what is null is not there yet. */
type BegunWork = {
  readonly [Part in 'queue' | 'doorbell' | 'wake']: ServedWork[Part] | null;
} & Pick<ServedWork, 'checkStorage'>;

/** Serves the work of a process from its first call of `start`, also before the work has begun. */
export class WorkServing {
  readonly #serve: ServeWork;
  #begun: BegunWork | null = null;
  #stopping: Promise<() => Promise<void>> | null = null;

  constructor(serve: ServeWork) {
    this.#serve = serve;
  }

  readonly start = async (begun: BegunWork): Promise<void> => {
    this.#begun = begun;
    this.#stopping ??= this.#serve({
      queue: {
        waiting: async () => (await this.#begun?.queue?.waiting()) ?? [],
        hold: () => this.#begun?.queue?.hold() ?? null,
      },
      // What a webhook says before is found by the first poll.
      doorbell: { ring: (ring) => this.#begun?.doorbell?.ring(ring) },
      wake: () => this.#begun?.wake?.(),
      checkStorage: async () => this.#begun?.checkStorage(),
    });
    await this.#stopping;
  };

  /** Repeating it changes nothing. */
  readonly stop = async (): Promise<void> => {
    const stopping = this.#stopping;
    this.#stopping = null;
    await (await stopping)?.();
  };
}

import type { Doorbell } from '@agent/platforms/sources';
import type { WorkQueue } from './queue/open-work-queue.ts';

interface ServedWork {
  readonly queue: Pick<WorkQueue, 'waiting' | 'hold'>;
  readonly doorbell: Doorbell;
  /** Looks for tasks now. */
  readonly wake: () => void;
  /** Has the board say what the place of the runs is like now; resolves in a moment, whatever it is like. */
  readonly checkStorage: () => Promise<void>;
}

/** Serves what happens; gives back what ends it. */
export type ServeWork = (at: ServedWork) => Promise<() => Promise<void>>;

/** Serves the work of a process from its first call of `start`, also before there is a queue. */
export class WorkServing {
  readonly #serve: ServeWork;
  #queue: ServedWork['queue'] | null = null;
  #stop: (() => Promise<void>) | null = null;

  constructor(serve: ServeWork) {
    this.#serve = serve;
  }

  readonly start = async ({
    queue,
    ...at
  }: Omit<ServedWork, 'queue'> & { readonly queue: ServedWork['queue'] | null }): Promise<void> => {
    this.#queue = queue;
    const shown: ServedWork['queue'] = {
      waiting: async () => (await this.#queue?.waiting()) ?? [],
      hold: () => this.#queue?.hold() ?? null,
    };
    this.#stop ??= await this.#serve({ ...at, queue: shown });
  };

  /** Repeating it changes nothing. */
  readonly stop = async (): Promise<void> => {
    const stop = this.#stop;
    this.#stop = null;
    await stop?.();
  };
}

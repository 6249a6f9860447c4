import type { Doorbell } from '@agent/platforms/sources';
import type { TaskQueue } from '@agent/run-store';
import type { QueueEntry } from './queue/queue-entry.ts';
import type { ServiceState } from './state/service-state.ts';

/** What a process serves, and how it is told of changes. */
export interface ServedWork {
  readonly queue: Pick<TaskQueue<QueueEntry>, 'waiting'>;
  readonly doorbell: Pick<Doorbell, 'ring'>;
  /** Looks for tasks now. */
  readonly wake: () => void;
  /** Reads the state of the service now; resolves in a moment, also while the storage is away. */
  readonly readService: () => Promise<ServiceState>;
}

/** Serves what happens; gives back what ends it. */
export type ServeWork = (at: ServedWork) => Promise<() => Promise<void>>;

/** Work that may not have begun: what is null is not there yet. */
type BegunWork = {
  readonly [Part in 'queue' | 'doorbell' | 'wake']: ServedWork[Part] | null;
};

/** Serves the work of a process from its first call of `start`, also before the work has begun. */
export class WorkServing {
  readonly #serve: ServeWork;
  #begun: BegunWork | null = null;
  #stopping: Promise<() => Promise<void>> | null = null;

  readonly #readService: ServedWork['readService'];

  constructor(serve: ServeWork, { readService }: Pick<ServedWork, 'readService'>) {
    this.#serve = serve;
    this.#readService = readService;
  }

  readonly start = async (begun: BegunWork): Promise<void> => {
    this.#begun = begun;
    this.#stopping ??= this.#serve({
      queue: { waiting: async () => (await this.#begun?.queue?.waiting()) ?? [] },
      // What a webhook says before is found by the first poll.
      doorbell: { ring: (ring) => this.#begun?.doorbell?.ring(ring) },
      wake: () => this.#begun?.wake?.(),
      readService: this.#readService,
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

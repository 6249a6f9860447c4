import type { RunControls } from '@agent/run-store';
import type { RunLogger } from '../host/ports.ts';
import { listHurried } from './list-hurried.ts';

export interface HurriedRunsOptions {
  readonly controls: Pick<RunControls, 'list'>;
  /** Lists the runs that waited for a budget whose hold has ended. */
  readonly listFreed: () => readonly string[];
  readonly logger: Pick<RunLogger, 'warn'>;
}

/** Knows which waiting runs begin at the next poll, however long they were to wait. */
export class HurriedRuns {
  readonly #options: HurriedRunsOptions;
  readonly #asked = new Set<string>();
  #isReloaded = false;
  #hurriesAll = false;

  constructor(options: HurriedRunsOptions) {
    this.#options = options;
  }

  has(uuid: string): boolean {
    return this.#hurriesAll || this.#asked.has(uuid) || this.#options.listFreed().includes(uuid);
  }

  /** Notes other settings: what waits may have waited for them, also where the process that deferred it has ended. */
  noteReload(): void {
    this.#isReloaded = true;
  }

  /** Reads the requests of users before a poll. @returns the runs of which they gave something up, or that they stopped */
  async read(): Promise<readonly string[]> {
    this.#asked.clear();
    [this.#hurriesAll, this.#isReloaded] = [this.#isReloaded, false];
    const asked = await listHurried(this.#options);
    for (const { uuid } of asked) this.#asked.add(uuid);
    return asked.filter(({ verb }) => verb !== 'pause').map(({ uuid }) => uuid);
  }
}

import type { StorageWatch } from '@agent/run-store';
import { RunDigest } from './run-digest.ts';

/** Records that are remembered at the same time. */
const maxDigests = 32;

/** Remembers what the records say that were looked at last. */
export class RunDigests {
  readonly #watch: StorageWatch;
  readonly #digests = new Map<string, RunDigest>();

  constructor(watch: StorageWatch) {
    this.#watch = watch;
  }

  /** Reads what is new in a record; null for a run that is not kept. */
  async read(uuid: string): Promise<RunDigest | null> {
    const digest = this.#digests.get(uuid) ?? new RunDigest(this.#watch, uuid);
    this.#digests.delete(uuid);
    if (!(await digest.read())) return null;
    this.#digests.set(uuid, digest);
    for (const oldest of [...this.#digests.keys()].slice(0, -maxDigests)) this.#digests.delete(oldest);
    return digest;
  }
}

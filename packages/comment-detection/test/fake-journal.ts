import type { DeliveryReceipt } from '../src/index.ts';

/** A line of a journal: the message, and what it delivers. */
interface Line {
  readonly text: string;
  readonly receipt: DeliveryReceipt;
}

/** A journal and a state file; a crash takes all that was not synced. */
export class FakeJournal {
  #synced: Line[] = [];
  #unsynced: Line[] = [];
  /** The cache beside the journal; text, as on disk. */
  state: string | null = null;

  write(line: Line): void {
    this.#unsynced.push(line);
  }

  sync(): void {
    this.#synced.push(...this.#unsynced);
    this.#unsynced = [];
  }

  crash(): void {
    this.#unsynced = [];
  }

  get lines(): readonly Line[] {
    return this.#synced;
  }

  get receipts(): readonly DeliveryReceipt[] {
    return this.#synced.map(({ receipt }) => receipt);
  }
}

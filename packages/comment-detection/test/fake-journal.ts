import type { DeliveryReceipt, HeardEvent } from '../src/index.ts';

/** A line of a journal: a message and what it delivers, or what a look found. */
type Line = { readonly text: string; readonly receipt: DeliveryReceipt } | { readonly observed: HeardEvent };

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
    return this.#synced.flatMap((line) => ('receipt' in line ? [line.receipt] : []));
  }

  /** All that the journal says of the thread, in its order. */
  get heard(): readonly HeardEvent[] {
    return this.#synced.map((line) => ('receipt' in line ? line.receipt : line.observed));
  }
}

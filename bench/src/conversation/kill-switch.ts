import type { Kill } from './draw-kills.ts';

/** Kills at the moments that were drawn, one after the other. */
export class KillSwitch {
  readonly #kills: readonly Kill[];
  #done = 0;
  #armed: Kill | null = null;
  #timer: NodeJS.Timeout | null = null;
  #kill: (() => void) | null = null;

  constructor(kills: readonly Kill[]) {
    this.#kills = kills;
  }

  /** Number of kills that were done. */
  get done(): number {
    return this.#done;
  }

  /** Aims at a process that begins. */
  aim(kill: () => void): void {
    this.disarm();
    this.#kill = kill;
  }

  /** Forgets a kill that is under way: its process has ended. The kill is still to be done. */
  disarm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#armed = null;
    this.#kill = null;
  }

  onCall(turn: number): void {
    const next = this.#kills[this.#done];
    if (this.#kill === null || this.#timer !== null || next === undefined || turn < next.turn) return;
    // A program that did not read its thread since is killed in its next call.
    if (this.#armed !== null || next.moment === 'call') this.#schedule(next);
    this.#armed = next;
  }

  onAnswer(): void {
    if (this.#armed?.moment === 'answer') this.#schedule(this.#armed);
  }

  onListing(): void {
    if (this.#armed?.moment === 'listing') this.#schedule(this.#armed);
  }

  #schedule({ delayMs }: Kill): void {
    const kill = this.#kill;
    if (kill === null || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#done += 1;
      this.disarm();
      kill();
    }, delayMs);
  }
}

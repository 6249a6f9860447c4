import { z } from 'zod';

/** More than a session can cost, in whole units of any currency. */
const maxAmount = 1_000_000;

const costSchema = z.object({
  amount: z.number().nonnegative().max(maxAmount),
  currency: z.string(),
});

/**
 * Sums that an agent's process tells its session to have cost in all. Only one that is higher than all before it costs something, so that nothing
 * is paid twice and nothing is given back.
 */
export class SessionCost {
  readonly #currency: string | null;
  readonly #knownMicros: number;
  #highestMicros: number | null = null;

  /** @param options `knownMicros`: cost of the session before this process; `currency`: the only one that counts, null for any */
  constructor({ knownMicros, currency }: { readonly knownMicros: number; readonly currency: string | null }) {
    this.#knownMicros = knownMicros;
    this.#currency = currency?.toUpperCase() ?? null;
  }

  /** Takes what was told. @returns what it adds, in millionths; null where nothing was told that could be a cost */
  take(cost: unknown): number | null {
    const { data } = costSchema.safeParse(cost);
    if (data === undefined) return null;
    if (this.#currency !== null && data.currency.toUpperCase() !== this.#currency) return null;
    const told = Math.round(data.amount * 1_000_000);
    // Some count the whole session, and some begin at nothing with each process: the first word tells which.
    const before = this.#highestMicros ?? (told >= this.#knownMicros ? this.#knownMicros : 0);
    this.#highestMicros = Math.max(before, told);
    return this.#highestMicros - before;
  }
}

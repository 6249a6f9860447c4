import { ModelSettingsError } from '@agent/runner/models/config';
import { z } from 'zod';

const amount = z.number().positive().max(1_000_000).nullable().default(null);

const scopes = z.strictObject(
  {
    run: amount,
    /** All runs of a thread together. */
    thread: amount,
    /** All runs that one person started. */
    person: amount,
    repository: amount,
    /** All runs on one day, in the zone of `time_zone`. */
    day: amount,
    /** The most that `/budget` can allow a thread. Null: anything. */
    by_command: amount,
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'must be a number such as 5 (llm.currency names its currency), or a section of numbers: run, thread, person, repository, day, by_command'
        : undefined,
  },
);

/** Section `limits.max_cost`, in the currency of `llm.currency`; null for no limit. A number alone is the limit of a run. */
export const maxCostSchema = z
  .preprocess((written) => (typeof written === 'number' ? { run: written } : (written ?? {})), scopes)
  .prefault({});

/** Limits of what runs may cost. */
export type MaxCost = z.infer<typeof maxCostSchema>;

/** Tells whether anything is limited. */
export function hasLimit({ by_command: _, ...limits }: MaxCost): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}

/** Model that runs ask, as far as its price is looked up. */
interface Described {
  readonly description: { readonly model: string };
}

/** Models and prices that do not go together, by name. */
export interface PriceGaps {
  /** Models whose calls nobody counts, in the order in which they are asked. */
  readonly unpriced: readonly string[];
  /** Prices of models that no run asks. */
  readonly unused: readonly string[];
}

/** Compares the models that runs ask, whatever for, with the prices that are known. */
export function findPriceGaps(
  {
    tasks = {},
    ...main
  }: Described & { readonly tasks?: Readonly<Partial<Record<string, readonly Described[]>>> | undefined },
  prices: Readonly<Record<string, unknown>>,
): PriceGaps {
  const others = Object.values(tasks).flatMap((models) => models ?? []);
  const named = new Set([main, ...others].map(({ description }) => description.model));
  return {
    unpriced: [...named].filter((name) => prices[name] === undefined),
    unused: Object.keys(prices).filter((name) => !named.has(name)),
  };
}

/** The error of a limit that would not hold a model, which says what to do; null where no model has a price. */
export function unpriced(model: string | null): ModelSettingsError {
  const what = model === null ? 'any model' : `the model "${model}"`;
  const message = `limits.max_cost is set, but llm.prices has no price for ${what}, so its cost could not be limited. Add its price there; use 0 for a free model.`;
  return new ModelSettingsError(message);
}

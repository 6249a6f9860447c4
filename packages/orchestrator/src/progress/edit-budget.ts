import type { ConfiguredPlatform } from '../run/run-thread.ts';

/** Importance of an edit: a change of phase may use up what single steps leave. */
export type EditKind = 'step' | 'phase';

/** Allowance of edits that all runs of one credential share. */
export interface EditBudget {
  /** Takes one edit out of it; false where none is left for this kind. */
  readonly take: (kind: EditKind) => boolean;
}

export interface EditBudgetOptions {
  /** Edits that may follow each other at once. Default 30. */
  readonly capacity?: number | undefined;
  /** Edits that are left to changes of phase. Default 10. */
  readonly reserve?: number | undefined;
  /** Milliseconds after which one more edit is allowed. Default 10,000: GitHub lets a credential write 500 times an hour. */
  readonly refillMs?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates one that is full. */
export function createEditBudget({
  capacity = 30,
  reserve = 10,
  refillMs = 10_000,
  now,
}: EditBudgetOptions): EditBudget {
  let left = capacity;
  let countedAt = now();
  return {
    take: (kind) => {
      left = Math.min(capacity, left + Math.max(0, now() - countedAt) / refillMs);
      countedAt = now();
      if (left < 1 + (kind === 'phase' ? 0 : reserve)) return false;
      left -= 1;
      return true;
    },
  };
}

/** Creates what gives each platform, which has one credential, a budget of its own. */
export function createEditBudgets(now: () => number): (platform: ConfiguredPlatform) => EditBudget {
  const budgets = new WeakMap<ConfiguredPlatform, EditBudget>();
  return (platform) => {
    const known = budgets.get(platform) ?? createEditBudget({ now });
    budgets.set(platform, known);
    return known;
  };
}

import { openUseExchange, type SharedUse } from '@agent/platforms/sources';
import * as z from 'zod';
import type { RunLogger } from '../host/ports.ts';
import type { EditKind } from '../run/run.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';

/** Allowance of edits that all runs of one credential share, in all processes of a place. */
export interface EditBudget {
  /** Takes one edit out of it; false where none is left for this kind. */
  readonly take: (kind: EditKind) => Promise<boolean>;
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
  /** Edits by other processes, under a key. Default null: there are none. */
  readonly shared?: SharedUse | null | undefined;
  readonly key?: string | undefined;
  readonly logger?: RunLogger | undefined;
}

const hourMs = 3_600_000;
/** Milliseconds before the report at which edits were made. */
const reportSchema = z.array(z.number());

/** Creates one that is full. */
export function createEditBudget(options: EditBudgetOptions): EditBudget {
  const { reserve = 10, now, shared = null, key = '', logger } = options;
  let own: readonly number[] = [];
  let others: readonly number[] = [];
  const { refresh, changed } = openUseExchange<readonly number[]>({
    ...{ shared, key, now, logger, schema: reportSchema },
    report: () => own.map((at) => now() - at),
    onReports: (reports) => {
      others = reports.flatMap(({ at, report }) => report.map((age) => at - age));
    },
  });
  return {
    take: async (kind) => {
      await refresh();
      const time = now();
      own = own.filter((at) => at > time - hourMs);
      const left = countLeft([...own, ...others.filter((at) => at > time - hourMs)], options);
      if (left < 1 + (kind === 'phase' ? 0 : reserve)) return false;
      own = [...own, time];
      changed();
      return true;
    },
  };
}

/** Counts what the edits of an hour have left, in the order in which they were made. */
function countLeft(
  edits: readonly number[],
  { capacity = 30, refillMs = 10_000, now }: EditBudgetOptions,
): number {
  let left = capacity;
  let countedAt = Number.NEGATIVE_INFINITY;
  const refill = (at: number) => {
    left = Math.min(capacity, left + Math.max(0, at - countedAt) / refillMs);
    countedAt = at;
  };
  for (const at of edits.toSorted((one, other) => one - other)) {
    refill(at);
    left -= 1;
  }
  refill(now());
  return left;
}

/** Creates what gives each platform, which has one credential, a budget of its own. */
export function createEditBudgets(
  options: Pick<EditBudgetOptions, 'now' | 'shared' | 'logger'>,
): (platform: ConfiguredPlatform) => EditBudget {
  const budgets = new WeakMap<ConfiguredPlatform, EditBudget>();
  return (platform) => {
    const key = `edits ${platform.platform.host}`;
    const known = budgets.get(platform) ?? createEditBudget({ ...options, key });
    budgets.set(platform, known);
    return known;
  };
}

import type { RunStorage, StorageMember } from '@agent/run-store';
import { type Condition, isOutbox } from '../board/board-event.ts';
import type { BoardState } from '../board/board-state.ts';
import { readConditions } from '../board/conditions.ts';
import { toReadinessJson } from '../board/readiness.ts';
import type { HoldView } from './read-board.ts';
import type { BudgetView } from './read-budgets.ts';

/** Health of the whole. */
export interface HealthView {
  readonly status: 'ready' | 'degraded' | 'not-ready' | 'ending';
  readonly conditions: readonly Condition[];
  readonly budgets: readonly BudgetView[];
  readonly model: string | null;
  readonly queue: { readonly waiting: number; readonly hold: HoldView | null };
  /** Processes that share the storage. */
  readonly owners: readonly (StorageMember & { readonly isThis: boolean })[];
  readonly version: string;
  readonly startedAt: number;
}

/** Parts of the health that somebody else has read. */
export interface HealthOptions
  extends Pick<HealthView, 'budgets' | 'model' | 'queue' | 'version' | 'startedAt'> {
  readonly storage: Pick<RunStorage, 'members' | 'notes'>;
  readonly board: Pick<BoardState, 'ending' | 'conditions'>;
  /** Null for a process that only looks. */
  readonly process: Pick<StorageMember, 'host' | 'pid'> | null;
  readonly redact: (text: string) => string;
}

/** Reads the conditions of this process and of those beside it. */
export async function readHealth(options: HealthOptions): Promise<HealthView> {
  const { storage, board, process: own, redact, ...rest } = options;
  const members = await storage.members.list();
  const known = new Map<string, Condition>();
  for (const { part, ...condition } of await readConditions(storage))
    known.set(part, { part: part as Condition['part'], ...condition });
  for (const [part, condition] of board.conditions) known.set(part, condition);
  const { status } = toReadinessJson({ ending: board.ending, conditions: known });
  const conditions = [...known.values()].map(({ part, state, since, reason }) => {
    return { part, state, since, reason: reason === null ? null : redact(reason) };
  });
  return {
    status: toStatus(status),
    // What somebody has to look at comes first.
    conditions: conditions.toSorted((one, other) => rank(one) - rank(other)),
    ...rest,
    owners: members.map(({ number, host, pid }) => ({
      number,
      host,
      pid,
      isThis: own?.host === host && own.pid === pid,
    })),
  };
}

function rank({ state, part }: Pick<Condition, 'state' | 'part'>): number {
  return { failed: 0, waiting: 2, ok: 4 }[state] + (isOutbox({ part }) ? 1 : 0);
}

function toStatus(status: string): HealthView['status'] {
  return status === 'ready' || status === 'degraded' || status === 'ending' ? status : 'not-ready';
}

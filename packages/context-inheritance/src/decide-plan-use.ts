import type { PlanRecord } from './model.ts';

const millisecondsPerDay = 86_400_000;

/** Facts that decide whether an earlier plan is used. */
export interface PlanUseFacts {
  readonly now: Date;
  /** Days since the end of the plan's run, this many included. */
  readonly expiryDays: number;
  /** Fingerprint of the request that the plan was made for, and of the present one; null when unknown. */
  readonly plannedRequest: string | null;
  readonly presentRequest: string | null;
}

/**
 * Whether an earlier plan may be gone on with, or only be referred to. Only what was stopped halfway, for the very same
 * request, is gone on with. @see seed 002 §13.3, decision C14
 */
export function decidePlanUse(record: PlanRecord, facts: PlanUseFacts): 'continue' | 'refer' {
  const { plan, status, completedAt } = record;
  const isUnfinished = plan !== null && plan.executedCount < plan.actionCount;
  const age = facts.now.getTime() - Date.parse(completedAt);
  const isFresh = age <= facts.expiryDays * millisecondsPerDay;
  const isSameRequest = facts.plannedRequest !== null && facts.plannedRequest === facts.presentRequest;
  return status === 'stopped' && isUnfinished && isFresh && isSameRequest ? 'continue' : 'refer';
}

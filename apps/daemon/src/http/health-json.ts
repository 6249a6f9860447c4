import type { BoardState } from '../board/board-state.ts';
import type { Condition } from '../board/condition.ts';
import type { Json } from './redact-json.ts';

/** The body of `/healthz`: that the process lives, which says nothing of what it can reach. */
export function toHealthJson(
  { ending }: Pick<BoardState, 'ending'>,
  { now, startedAt }: { readonly now: number; readonly startedAt: number },
): Json {
  return { status: ending ? 'ending' : 'ok', uptime_seconds: Math.floor((now - startedAt) / 1_000) };
}

/** The body of `/readyz`: whether all that the work rests on can be relied on now, part by part. */
export function toReadinessJson({ ending, conditions }: Pick<BoardState, 'ending' | 'conditions'>) {
  const parts = toConditionsJson(conditions);
  const isReady = parts.every(({ state }) => state === 'ok');
  const status = ending ? 'ending' : isReady ? 'ready' : 'not-ready';
  return { status, conditions: parts };
}

/** The conditions as `/readyz` and `status --json` show them. */
export function toConditionsJson(conditions: ReadonlyMap<string, Condition>) {
  return [...conditions.values()].map(({ part, state, since, reason }) => ({
    part,
    state,
    since: new Date(since).toISOString(),
    reason,
  }));
}

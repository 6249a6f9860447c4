import { type BoardState, concernsAll } from '@agent/orchestrator';
import type { Json } from '../text/redact-json.ts';

/** The body of `/healthz`: that the process lives, which says nothing of what it can reach. */
export function toHealthJson(
  { ending }: Pick<BoardState, 'ending'>,
  { now, startedAt }: { readonly now: number; readonly startedAt: number },
): Json {
  return { status: ending ? 'ending' : 'ok', uptime_seconds: Math.floor((now - startedAt) / 1_000) };
}

/** The body of `/readyz`: whether all that the work rests on can be relied on now, part by part. */
export function toReadinessJson({ ending, conditions }: Pick<BoardState, 'ending' | 'conditions'>) {
  const parts = [...conditions.values()].map((one) => ({ ...one, since: new Date(one.since).toISOString() }));
  const isReady = parts.filter(concernsAll).every(({ state }) => state === 'ok');
  const status = ending ? 'ending' : isReady ? 'ready' : 'not-ready';
  return { status, conditions: parts };
}

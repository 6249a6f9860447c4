import type { StorageCondition } from '@agent/run-store';

/**
 * Part that the daemon depends on. `place:github/acme/shop` is a repository. `outbox:acme/shop#42 (1a2b3c4d)` is an ended run, while updates
 * of its thread are pending. `worktrees` is their disk, if it is not that of the runs. `settings` exists once the configuration was reloaded, `platforms` once the process had to wait for one at
 * its start. `response:github` is the time that a platform takes to answer, and `model-response` that of the model; both exist once it was too long. Platforms and repositories are reported by the process that polls; of several, by the one that has `lead`.
 */
export type ConditionPart =
  | `platform:${string}`
  | `place:${string}`
  | `outbox:${string}`
  | 'lead'
  | 'platforms'
  | 'model'
  | `response:${string}`
  | 'model-response'
  | 'settings'
  | 'agent'
  | 'worktrees'
  | StorageCondition['part'];

/** State of a part that the daemon depends on. */
export interface Condition {
  readonly part: ConditionPart;
  /** `waiting`: retried without help. `failed`: an operator has to act. */
  readonly state: 'ok' | 'waiting' | 'failed';
  /** When it came into this state, in milliseconds since 1970. */
  readonly since: number;
  /** Null if it is `ok`. */
  readonly reason: string | null;
  /** Measured duration that is too long. Default null: nothing was measured. */
  readonly measuredMs?: number | null | undefined;
}

/** Tells whether a condition is about pending updates of an ended run. */
export function isOutbox({ part }: { readonly part: string }): boolean {
  return part.startsWith('outbox:');
}

/** Tells whether a condition is reported by the process that polls. */
export function isOfLead({ part }: { readonly part: string }): boolean {
  return part === 'lead' || part.startsWith('platform:') || part.startsWith('place:');
}

/** Tells whether a condition is about the time that a platform or the model takes. */
export function isResponseTime({ part }: { readonly part: string }): boolean {
  return part.startsWith('response:') || part === 'model-response';
}

/** Tells whether a process can do no work without this part. One repository that is away does not stop the others. */
export function isEssential({ part }: { readonly part: string }): boolean {
  const isOther = part.startsWith('place:') || part === 'settings' || part === 'lead';
  return !isOther && !isOutbox({ part }) && !isResponseTime({ part });
}

/** A condition as it is observed. */
export interface SeenCondition extends Omit<Condition, 'since'> {
  /** When it came into this state, if that is known. Default: when it is first observed. */
  readonly since?: number | undefined;
}

/** Adds an observation; returns the same object if nothing changed. The start of a state is kept, also that of an earlier process. */
export function withCondition(
  conditions: ReadonlyMap<string, Condition>,
  seen: SeenCondition,
  { now, earlier = new Map() }: { readonly now: number; readonly earlier?: ReadonlyMap<string, Condition> },
): ReadonlyMap<string, Condition> {
  const { part, state, reason, measuredMs } = seen;
  const before = conditions.get(part);
  if (before?.state === state && before.reason === reason) return conditions;
  const known = before ?? earlier.get(part);
  const { since: begun = now } = seen;
  const since = known?.state === state ? Math.min(known.since, begun) : begun;
  const condition = { part, state, since, reason };
  return new Map(conditions).set(part, measuredMs ? { ...condition, measuredMs } : condition);
}

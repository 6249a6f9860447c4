/** A part that the daemon's work rests on; a place is a repository or project, `place:github/acme/shop`. */
export type ConditionPart = `platform:${string}` | `place:${string}` | 'model' | 'disk';

/** Whether the daemon as a whole rests on this part: one repository that is gone leaves the others to work on. */
export function concernsAll({ part }: Pick<Condition, 'part'>): boolean {
  return !part.startsWith('place:');
}

/** Whether a part can be relied on now. */
export interface Condition {
  readonly part: ConditionPart;
  /** `waiting`: it is tried again without anybody's help. `failed`: somebody has to do something. */
  readonly state: 'ok' | 'waiting' | 'failed';
  /** When it came into this state, in milliseconds since 1970. */
  readonly since: number;
  /** Null where it is `ok`. */
  readonly reason: string | null;
}

/** The conditions by part after one of them was seen anew; the same object where nothing is different. */
export function withCondition(
  conditions: ReadonlyMap<string, Condition>,
  seen: Omit<Condition, 'since'>,
  now: number,
): ReadonlyMap<string, Condition> {
  const { part, state, reason } = seen;
  const before = conditions.get(part);
  if (before?.state === state && before.reason === reason) return conditions;
  const since = before?.state === state ? before.since : now;
  return new Map(conditions).set(part, { part, state, since, reason });
}

import { takeId, timestamp } from './create-state.ts';
import type { Repository, State, User } from './model.ts';

const nothing = '0'.repeat(40);

/**
 * Notes who moved which branches, by their tips as they are now: what is noted already stays with whom it was noted for.
 *
 * @see https://docs.github.com/en/rest/repos/repos#list-repository-activities
 */
export function recordActivity(
  state: State,
  repository: Repository,
  moved: { readonly tips: ReadonlyMap<string, string>; readonly by: User },
): void {
  const { activity } = repository;
  const { tips, by: actor } = moved;
  const known = new Map(activity.map(({ ref, after }) => [ref, after]));
  const note = (ref: string, after: string) => {
    const before = known.get(ref) ?? nothing;
    if (before !== after)
      activity.push({ id: takeId(state), ref, before, after, actor, timestamp: timestamp(state) });
  };
  for (const [branch, sha] of tips) note(`refs/heads/${branch}`, sha);
  for (const ref of known.keys()) if (!tips.has(ref.slice('refs/heads/'.length))) note(ref, nothing);
}

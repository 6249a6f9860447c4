import { takeId, timestamp } from './create-state.ts';
import type { Award, State, User } from './model.ts';
import { notFound, refuse } from './refusal.ts';

/** Puts an emoji on something, once per account and name. @throws {Refusal} 404 for a second time and for no known name */
export function addAward(
  state: State,
  awards: Map<number, Award>,
  award: { readonly user: User; readonly name: string },
): Award {
  const { user, name } = award;
  if (!/^[a-z0-9_+-]+$/.test(name)) {
    throw refuse(404, '404 Award Emoji {:name=>["is not a valid emoji name"]} Not Found');
  }
  if ([...awards.values()].some((other) => other.user === user && other.name === name)) {
    throw refuse(404, '404 Award Emoji Name has already been taken Not Found');
  }
  const added: Award = { id: takeId(state), user, name, createdAt: timestamp(state) };
  awards.set(added.id, added);
  return added;
}

/** @throws {Refusal} 404 */
export function findAward(awards: ReadonlyMap<number, Award>, id: number): Award {
  const award = awards.get(id);
  if (!award) throw notFound();
  return award;
}

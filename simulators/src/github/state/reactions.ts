import { takeId, timestamp } from './create-state.ts';
import type { Reaction, ReactionContent, State, User } from './model.ts';
import { notFound } from './refusal.ts';

/** The eight that GitHub knows. @see https://docs.github.com/rest/reactions/reactions#about-reactions */
export const reactionContents = [
  '+1',
  '-1',
  'laugh',
  'confused',
  'heart',
  'hooray',
  'rocket',
  'eyes',
] as const;

/** Reacts, once per account and content: doing it again finds the first one (`isNew` false). */
export function addReaction(
  state: State,
  reactions: Map<number, Reaction>,
  reaction: { readonly user: User; readonly content: ReactionContent },
): { readonly reaction: Reaction; readonly isNew: boolean } {
  const same = [...reactions.values()].find(
    ({ user, content }) => user === reaction.user && content === reaction.content,
  );
  if (same) return { reaction: same, isNew: false };
  const added: Reaction = { ...reaction, id: takeId(state), createdAt: timestamp(state) };
  reactions.set(added.id, added);
  return { reaction: added, isNew: true };
}

/** Takes a reaction back. @throws {Refusal} 404 */
export function removeReaction(reactions: Map<number, Reaction>, id: number): void {
  if (!reactions.delete(id)) throw notFound();
}

import type { Urls } from '../http/urls.ts';
import type { Reaction } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { showAuthor } from './user-view.ts';

/** One account's reaction. */
export function showReaction(reaction: Reaction, urls: Urls): Vendor['reaction'] {
  return {
    id: reaction.id,
    node_id: nodeId('Reaction', reaction.id),
    user: showAuthor(reaction.user, urls),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

/** Counts each reaction; `url` is where they are listed. */
export function showReactions(
  reactions: ReadonlyMap<number, Reaction>,
  url: string,
): Vendor['reaction-rollup'] {
  const rollup = {
    url,
    total_count: reactions.size,
    '+1': 0,
    '-1': 0,
    laugh: 0,
    hooray: 0,
    confused: 0,
    heart: 0,
    rocket: 0,
    eyes: 0,
  };
  for (const { content } of reactions.values()) rollup[content] += 1;
  return rollup;
}

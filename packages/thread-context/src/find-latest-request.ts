import type { ConversationContext, ConversationEntry } from './conversation.ts';
import { countLeftOut } from './count-left-out.ts';

/** Where the newest thing is that somebody other than us said. */
export type LatestRequest =
  /** `index` into `conversation`; 0 is the issue itself. */
  | { readonly place: 'entry'; readonly index: number; readonly entry: ConversationEntry }
  /** Comments are missing and nobody else wrote one of those that were kept: it may be among the missing. */
  | { readonly place: 'left-out' };

export interface LatestRequestOptions {
  /** Whether what the author of this entry asks for may be done. Default: everybody's. */
  readonly mayInstruct?: ((entry: ConversationEntry) => boolean) | undefined;
}

/**
 * Finds the request that a run has to answer: the newest comment by somebody else than us who may instruct us, or
 * the issue itself when there is none. The issue is a request whoever wrote it.
 */
export function findLatestRequest(
  context: ConversationContext,
  { mayInstruct = () => true }: LatestRequestOptions = {},
): LatestRequest {
  const index = context.conversation.findLastIndex(
    (entry, place) => entry.role === 'user' && (place === 0 || mayInstruct(entry)),
  );
  const entry = context.conversation[index];
  if (entry === undefined || (index === 0 && countLeftOut(context) !== 0)) return { place: 'left-out' };
  return { place: 'entry', index, entry };
}

import { createHash } from 'node:crypto';
import type { ContextInheritanceManager, CurrentComments, ThreadReference } from '@agent/context-inheritance';
import type { CommentListing } from '@agent/platforms';
import type { Locale } from '@agent/text';

/** Inherited context of a run, ready for its prompt and its thread. */
export interface Inherited {
  readonly fromUuid: string;
  /** Uuids of all runs that it comes from, newest first. */
  readonly uuids: readonly string[];
  readonly depth: number;
  /** For the end of the instructions. @see seed 002 §4.3.1 */
  readonly block: string;
  readonly tokens: number;
  /** Notice for the thread. @see seed 002 §6.2 */
  readonly notice: string;
}

/**
 * Looks up what a run can take over, without the decisions whose comments have changed since. Null when there is
 * nothing, or no room for it.
 */
export async function inheritContext(
  manager: ContextInheritanceManager,
  {
    thread,
    listing,
    locale,
    timeZone,
  }: {
    readonly thread: ThreadReference;
    readonly listing: CommentListing;
    readonly locale: Locale;
    /** IANA name. */
    readonly timeZone: string;
  },
): Promise<Inherited | null> {
  const context = await manager.getInheritanceContext(thread, { comments: hashComments(listing) });
  if (context === null) return null;
  const { system: block, kinds, tokens } = manager.createInheritedPrompts(context, { mode: 'normal' });
  if (block === null) return null;
  const { formatInheritanceNotice } = await import('@agent/context-inheritance');
  const { inheritedFromUuid: fromUuid, inheritanceDepth: depth } = context;
  const notice = formatInheritanceNotice(context, { kinds, locale, timeZone });
  const uuids = context.previousContexts.map(({ uuid }) => uuid);
  return { fromUuid, uuids, depth, block, tokens, notice };
}

/**
 * The comments that decisions rest on: SHA-256 of each body, as the platform gives it, by the comment's id. Null for a
 * listing that is not whole, because what is missing in it would count as deleted.
 */
export function hashComments({
  comments,
  complete,
}: Pick<CommentListing, 'comments' | 'complete'>): CurrentComments | null {
  if (!complete) return null;
  return new Map(
    comments.map(({ id, body }) => [id, createHash('sha256').update(body, 'utf8').digest('hex')]),
  );
}

import type { Comment } from '@agent/comment-detection';
import type { Account } from '@agent/platforms';
import type { PrePlanningRequest, RequestComment } from '@agent/pre-planning';
import { markHandledCommands } from '../inbox/commands.ts';
import { cleanComments, cleanThread, markInternal, type TextGuard } from '../inbox/text-guard.ts';
import { isOwnComment, isOwnThread, toAccount } from '../inbox/trust.ts';
import type { Snapshot } from '../run/run-thread.ts';
import type { SaidChange } from './known-comments.ts';

export interface RequestReader {
  readonly guard: TextGuard;
  readonly ownAccount: Account;
  readonly signal?: AbortSignal | undefined;
}

/** Converts a snapshot to the request of a run; what we wrote ourselves is left out. */
export async function toPrePlanningRequest(
  { thread, listing, inherited }: Snapshot,
  reader: RequestReader,
): Promise<PrePlanningRequest> {
  const { guard, signal } = reader;
  const comments: RequestComment[] = [];
  const said = listing.comments.filter((comment) => !isOwnComment(comment, reader.ownAccount));
  for (const comment of await cleanComments(said, guard.clean))
    comments.push(await toRequestComment(comment, reader));
  const { title, body, labels } = await cleanThread(thread, guard.clean);
  return {
    author: thread.author?.login ?? null,
    isTrusted:
      !isOwnThread(thread, reader.ownAccount) &&
      (await guard.authorityOf(thread.author, { signal })) === 'trusted',
    title,
    body,
    labels,
    comments,
    history: inherited?.block ?? null,
  };
}

/** One comment that is clean, with the commands in it that are carried out already. */
async function toRequestComment(
  comment: Comment,
  { guard, signal }: Pick<RequestReader, 'guard' | 'signal'>,
): Promise<RequestComment> {
  const { author, createdAt, body } = comment;
  const isTrusted = (await guard.authorityOf(toAccount(author), { signal })) === 'trusted';
  return {
    author: author?.login ?? 'ghost',
    createdAt,
    body: markInternal(isTrusted ? markHandledCommands(body) : body, comment),
    isTrusted,
  };
}

/**
 * Converts what was said meanwhile; an edit and a deletion are told as something new that is said of the earlier comment, so
 * that the request is understood anew.
 */
export async function toNewComment(
  { kind, comment }: SaidChange,
  reader: Pick<RequestReader, 'guard' | 'signal'>,
): Promise<RequestComment> {
  const body = await reader.guard.clean(comment.body);
  const told = await toRequestComment({ ...comment, body }, reader);
  if (kind === 'added') return told;
  const { createdAt } = told;
  if (kind === 'deleted')
    return { ...told, body: `(The comment of ${createdAt} was deleted: take it for not said.)` };
  return {
    ...told,
    createdAt: comment.updatedAt ?? createdAt,
    body: `(This stands in the place of the comment of ${createdAt}:)\n\n${told.body}`,
  };
}

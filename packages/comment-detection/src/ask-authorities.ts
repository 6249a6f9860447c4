import type { CommentChange } from './changes.ts';
import type { Authorities } from './compose-delivery.ts';
import type { Authority, Comment } from './model.ts';
import type { CallOptions } from './ports.ts';

export interface AuthorityQuestion extends CallOptions {
  /** Default: everyone may steer. */
  readonly authorityOf?:
    | ((comment: Comment, options: CallOptions) => Promise<Authority> | Authority)
    | undefined;
  /** Told when it could not be asked; the comment then counts as information. */
  readonly onUnknown: (error: unknown, id: string) => void;
}

/** Who may steer, for every comment of the changes. Fails closed. @see decision X11 */
export async function askAuthorities(
  changes: readonly CommentChange[],
  { authorityOf = () => 'trusted', onUnknown, signal }: AuthorityQuestion,
): Promise<Authorities> {
  const authorities = new Map<string, Authority>();
  for (const { comment } of changes) {
    try {
      const authority = await authorityOf(comment, { signal });
      authorities.set(comment.id, authority === 'trusted' ? 'trusted' : 'untrusted');
    } catch (error) {
      onUnknown(error, comment.id);
      authorities.set(comment.id, 'untrusted');
    }
  }
  return authorities;
}

import type { Comment } from '../model.ts';
import type { Ring } from '../sources/doorbell.ts';

/** What a delivery says about one comment. */
export interface CommentNews extends Pick<Ring, 'key' | 'updatedAt'> {
  readonly commentId: string;
  readonly change: 'created' | 'edited' | 'deleted';
  /** The comment as the delivery shows it, where the delivery is signed; null where it is only known by a token. */
  readonly comment: Comment | null;
}

/**
 * Rings for one comment. An edit rings twice: by its time, so that looks go on until a listing is as new, and without a
 * time, so that one look is made at any rate. Deliveries have whole seconds: the comment as it was before may be of
 * the very second of its edit, and would be taken for the edited one.
 */
export function toCommentRings({ key, commentId, updatedAt, change, comment }: CommentNews): readonly Ring[] {
  if (change === 'deleted') return [{ key, commentId, updatedAt: null, deleted: true, comment: null }];
  const ring = { key, commentId, updatedAt, deleted: false, comment };
  return change === 'created' || updatedAt === null ? [ring] : [ring, { ...ring, updatedAt: null }];
}

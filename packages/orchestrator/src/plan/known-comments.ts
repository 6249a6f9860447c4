import { createHash } from 'node:crypto';
import type { CommentChange, SourceComment } from '@agent/comment-detection';

/** A comment that the phase has taken in, as it stood then. */
export interface KnownComment {
  readonly comment: Omit<SourceComment, 'body'>;
  /** Hash of the body; null when what was taken in is that the comment was deleted. */
  readonly hash: string | null;
}

/** Something said, changed or taken back. */
export type SaidChange = Pick<CommentChange, 'kind' | 'comment'>;

/** Memory of the phase of a thread; its own, because what it hears is told to the conversation as well. */
export interface KnownComments {
  /** Tells whether that is known, or need not be: an end of what had no beginning. */
  readonly has: (change: SaidChange) => boolean;
  /** Picks what is not known of these, as it is to the phase: an addition of something known is an edit of it. */
  readonly findNew: (changes: readonly SaidChange[]) => readonly SaidChange[];
  /** Takes in what the phase begins with. */
  readonly add: (change: SaidChange) => void;
  /** Takes in what the phase is told next; in the order in which it is. */
  readonly tell: (change: SaidChange) => void;
  /**
   * Lists what is known; what it was told up to this number, default all: what is handed over and not yet in the state of the
   * phase must not be kept as known, or a process that dies now has it told to nobody.
   */
  readonly list: (told?: number) => readonly KnownComment[];
}

export function createKnownComments(kept: readonly KnownComment[]): KnownComments {
  const begun = new Map(kept.map((one) => [one.comment.id, one]));
  const known = new Map(begun);
  const told: KnownComment[] = [];
  const has: KnownComments['has'] = ({ kind, comment: { id, body } }) => {
    const before = known.get(id);
    if (kind === 'deleted') return before === undefined || before.hash === null;
    return before !== undefined && before.hash === hashBody(body);
  };
  return {
    has,
    findNew: (changes) =>
      changes
        .filter((change) => !has(change))
        .map(({ kind, comment }) => {
          const isEdit = kind === 'added' && known.has(comment.id);
          return { kind: isEdit ? 'edited' : kind, comment };
        }),
    add: (change) => {
      const one = toKnown(change);
      begun.set(one.comment.id, one);
      known.set(one.comment.id, one);
    },
    tell: (change) => {
      const one = toKnown(change);
      told.push(one);
      known.set(one.comment.id, one);
    },
    list: (count) => {
      const latest = told.slice(0, count).map((one) => [one.comment.id, one] as const);
      return [...new Map([...begun, ...latest]).values()];
    },
  };
}

function toKnown({ kind, comment }: SaidChange): KnownComment {
  const { id, author, createdAt, updatedAt, body } = comment;
  const hash = kind === 'deleted' ? null : hashBody(body);
  return { comment: { id, author, createdAt, updatedAt }, hash };
}

/** Finds what a listing of the thread tells that the phase does not know: what came, was edited or deleted meanwhile. */
export function findMissedChanges(
  known: KnownComments,
  listing: { readonly comments: readonly SourceComment[]; readonly complete: boolean },
): readonly SaidChange[] {
  const { comments, complete } = listing;
  const listed = new Set(comments.map(({ id }) => id));
  const said = comments.map((comment): SaidChange => ({ kind: 'added', comment }));
  const gone = complete ? known.list().filter(({ comment: { id } }) => !listed.has(id)) : [];
  const deleted = gone.map(({ comment }): SaidChange => {
    return { kind: 'deleted', comment: { ...comment, body: '' } };
  });
  return known.findNew([...said, ...deleted]);
}

function hashBody(body: string): string {
  return createHash('sha256').update(body, 'utf8').digest('hex').slice(0, 16);
}

import type { Comment } from './model.ts';

/** Kind of a change to a comment. */
export type ChangeKind = 'added' | 'edited' | 'deleted';

/** Something that was said, and that the model has not been told. */
export interface CommentChange {
  readonly kind: ChangeKind;
  /** As it stands now; of a deleted comment, as it was last seen. */
  readonly comment: Comment;
  /** Body that the model was told before; null when that is not known, and for `added`. */
  readonly previousBody: string | null;
  /** Names this revision of the comment; opaque. */
  readonly revision: string;
}

/** An edited comment: its new revision, and the body it had when the model was told of it. */
export interface EditedComment extends Comment {
  /** Null when the earlier body is not known. */
  readonly previousBody: string | null;
}

/** The same, by kind, each in the order of the thread. */
export interface CommentChanges {
  readonly added: readonly Comment[];
  readonly edited: readonly EditedComment[];
  readonly deleted: readonly Comment[];
}

/** Which revisions of which comments one message delivers; journalled in that message's own line. */
export interface DeliveryReceipt {
  readonly delivers: readonly {
    readonly id: string;
    readonly revision: string;
    readonly kind: ChangeKind;
  }[];
}

/** Result of learning what is history. */
export interface InitializeResult {
  /** `skipped`: it is switched off, or no look was allowed. `failed`: the thread could not be read. */
  readonly status: 'checked' | 'skipped' | 'failed';
  /** Why it failed. */
  readonly error?: unknown;
}

/** Result of a check. */
export interface CheckResult extends CommentChanges {
  /** `skipped`: no look was due or allowed. `failed`: the thread could not be read. */
  readonly status: 'checked' | 'skipped' | 'failed';
  /** Tells whether the whole thread was seen. */
  readonly complete: boolean;
  /** Why it failed. */
  readonly error?: unknown;
}

/** Result of adding comments to a context. */
export interface AddResult {
  /** `failed`: the context refused them; they are offered again at the next check. */
  readonly status: 'added' | 'nothing' | 'failed';
  readonly error?: unknown;
}

import { createHash } from 'node:crypto';
import type { CallOptions, ObservedAuthority } from '@agent/platforms';
import type { SourceComment } from './comment.ts';
import { compareComments } from './comment.ts';

/** Kind of a change to a comment. */
export type ChangeKind = 'added' | 'edited' | 'deleted';

/** Something that was said, and that the model has not been told. */
export interface CommentChange {
  readonly kind: ChangeKind;
  /** As it stands now; of a deleted comment, as it was last seen. */
  readonly comment: SourceComment;
  /** Body that the model was told before; null when that is not known, and for `added`. */
  readonly previousBody: string | null;
  /** Names this revision of the comment; opaque. */
  readonly revision: string;
  /** Authority of its author as it was found when the change was; null, the default, where nobody asked. */
  readonly authority?: ObservedAuthority | null;
  /** True where the model was told of it while nobody knew whether its author may steer. Default false. */
  readonly corrects?: boolean;
}

/** An edited comment: its new revision, and the body it had when the model was told of it. */
export interface EditedComment extends SourceComment {
  /** Null when the earlier body is not known. */
  readonly previousBody: string | null;
}

/** The same, by kind, each in the order of the thread. */
export interface CommentChanges {
  readonly added: readonly SourceComment[];
  readonly edited: readonly EditedComment[];
  readonly deleted: readonly SourceComment[];
}

/** Which revisions of which comments one message delivers; journalled in that message's own line. */
export interface DeliveryReceipt {
  readonly delivers: readonly {
    readonly id: string;
    readonly revision: string;
    readonly kind: ChangeKind;
    /**
     * `line` if the message only names the change, by its first line or its number; `part` if it shows a part of the text. Default:
     * the whole text is shown.
     */
    readonly shown?: 'line' | 'part' | undefined;
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

/** A user message on its way to the model, and what it delivers. */
export interface SinkMessage {
  readonly role: 'user';
  readonly content: string;
  readonly receipt: DeliveryReceipt;
}

/**
 * Puts a message into the model's context. Resolves once message and receipt are kept for good; rejects with
 * `{ code: 'context-full' }` when the message does not fit.
 *
 * @see seed 001 §3.1 (`llm_client.send_user_message`)
 */
export interface ContextSink {
  readonly append: (message: SinkMessage) => Promise<void>;
}

/** A message for the model, and what is journalled with it. */
export interface InboxDelivery {
  readonly text: string;
  readonly receipt: DeliveryReceipt;
  /** False if the poll found no command, so that pause and stop need not be read again. */
  readonly hasCommands: boolean;
  /** True if the message had no room for all comments: take the next one before the model is called. */
  readonly hasMore: boolean;
}

/** Input of `takeDelivery`. */
export interface DeliveryRequest extends CallOptions {
  /** True for the last poll before the end: it ignores the interval and waits for no author's authority. */
  readonly barrier: boolean;
  /** Runs the commands of these changes and tells whether there was one. Default: each delivery may hold a command. */
  readonly runCommands?: ((changes: readonly CommentChange[]) => Promise<boolean>) | undefined;
}

/** Result of `takeDelivery`. */
export interface TakenDelivery {
  readonly status: 'checked' | 'skipped' | 'failed';
  readonly delivery: InboxDelivery | null;
  /** Why the thread could not be read. */
  readonly error?: unknown;
}

const kindOrder: Readonly<Record<ChangeKind, number>> = { added: 0, edited: 1, deleted: 2 };

/** The order in which changes are told: additions, then edits, then deletions, each in the order of the thread. */
export function sortChanges(changes: readonly CommentChange[]): readonly CommentChange[] {
  return changes.toSorted(
    (a, b) => kindOrder[a.kind] - kindOrder[b.kind] || compareComments(a.comment, b.comment),
  );
}

/** The same changes, by kind. */
export function groupChanges(changes: readonly CommentChange[]): CommentChanges {
  const ofKind = (kind: ChangeKind) => changes.filter((change) => change.kind === kind);
  return {
    added: ofKind('added').map(({ comment }) => comment),
    edited: ofKind('edited').map(({ comment, previousBody }) => ({ ...comment, previousBody })),
    deleted: ofKind('deleted').map(({ comment }) => comment),
  };
}

/** The inverse of `groupChanges`; a bare list of comments is taken for additions. */
export function toChangeList(
  changes: readonly SourceComment[] | Partial<CommentChanges>,
): readonly CommentChange[] {
  const { added = [], edited = [], deleted = [] } = isList(changes) ? { added: changes } : changes;
  const toItem = (kind: ChangeKind) => (comment: SourceComment) => ({
    kind,
    comment,
    previousBody: 'previousBody' in comment ? (comment.previousBody as string | null) : null,
    revision: formatRevision({ hash: hashBody(comment.body), updatedAt: comment.updatedAt }),
  });
  return sortChanges([
    ...added.map(toItem('added')),
    ...edited.map(toItem('edited')),
    ...deleted.map(toItem('deleted')),
  ]);
}

/** Revisions that checks returned, so that each is returned once unless its delivery failed. */
export class OfferedChanges {
  readonly #offered = new Map<string, string>();

  /** The changes that no check has returned. */
  takeNew(changes: readonly CommentChange[]): readonly CommentChange[] {
    const offerOf = ({ kind, revision, corrects = false }: CommentChange) =>
      `${kind} ${revision} ${corrects}`;
    const fresh = changes.filter((change) => this.#offered.get(change.comment.id) !== offerOf(change));
    for (const change of fresh) this.#offered.set(change.comment.id, offerOf(change));
    return fresh;
  }

  /** Lets the next check return them again. */
  forget(changes: readonly CommentChange[]): void {
    for (const { comment } of changes) this.#offered.delete(comment.id);
  }
}

function isList(
  changes: readonly SourceComment[] | Partial<CommentChanges>,
): changes is readonly SourceComment[] {
  return Array.isArray(changes);
}

/** Marks that tell one revision of a comment from another. */
export interface RevisionMark {
  /** The first 16 hexadecimal digits of the body's SHA-256. */
  readonly hash: string;
  readonly updatedAt: string | null;
}

/** The mark of a body in a revision: the first 16 hexadecimal digits of its SHA-256. */
export function hashBody(body: string): string {
  return createHash('sha256').update(body, 'utf8').digest('hex').slice(0, 16);
}

/** The text under which a journal names a revision: `{hash}@{updatedAt}`. */
export function formatRevision({ hash, updatedAt }: RevisionMark): string {
  return `${hash}@${updatedAt ?? ''}`;
}

/** The inverse of `formatRevision`. */
export function parseRevision(revision: string): RevisionMark {
  const at = revision.indexOf('@');
  if (at < 0) return { hash: revision, updatedAt: null };
  return { hash: revision.slice(0, at), updatedAt: revision.slice(at + 1) || null };
}

import type { CommentChange, ContextSink, DeliveryReceipt } from './changes.ts';
import type { Authority, CallOptions, Comment } from './comment.ts';
import { type CommentMessageOptions, formatChangesMessage } from './format-changes-message.ts';

/** A message that tells the model of changes, and what it delivers. */
export interface ComposedDelivery {
  readonly text: string;
  readonly receipt: DeliveryReceipt;
  /** Tells whether somebody who may steer the agent said any of it. */
  readonly fromTrusted: boolean;
}

/** To how many characters bodies are cut when a message does not fit. @see decision B10 */
const shorterBodies: readonly number[] = [2000, 500];

/** Authority of the author, for every comment of the changes. */
export type Authorities = ReadonlyMap<string, Authority>;

export interface ComposeOptions extends Pick<CommentMessageOptions, 'prepareBody'> {
  readonly authorities: Authorities;
  readonly maxBodyChars: number;
  /** Bodies are shortened step by step until the message is no longer than this. */
  readonly maxMessageChars: number;
}

/** All changes in one message, with bodies as long as the message allows. */
export function composeDelivery(
  changes: readonly CommentChange[],
  { authorities, maxBodyChars, maxMessageChars, prepareBody }: ComposeOptions,
): ComposedDelivery {
  const authorityOf = ({ id }: Comment) => authorities.get(id) ?? 'untrusted';
  const format = (chars: number) =>
    formatChangesMessage(changes, {
      prepareBody,
      authorityOf,
      maxBodyChars: Math.min(chars, maxBodyChars),
    });
  let text = format(maxBodyChars);
  for (const chars of shorterBodies) {
    if (text.length <= maxMessageChars) break;
    text = format(chars);
  }
  const delivers = changes.map(({ kind, revision, comment: { id } }) => ({ id, revision, kind }));
  const fromTrusted = changes.some(({ comment }) => authorityOf(comment) === 'trusted');
  return { text, receipt: { delivers }, fromTrusted };
}

interface AppendOptions {
  readonly maxBodyChars: number;
  readonly compose: (maxBodyChars: number) => Promise<ComposedDelivery | null>;
  readonly onRefused: (error: unknown, maxBodyChars: number) => void;
}

/** The receipt of what the context took; null where there was nothing to take. */
type AppendResult =
  | { readonly receipt: DeliveryReceipt | null }
  | { readonly receipt: undefined; readonly error: unknown };

/**
 * Appends a message, and what the context refuses once more with bodies of 2,000 and then of 500 characters.
 *
 * @see decision B10
 */
export async function appendShortened(sink: ContextSink, options: AppendOptions): Promise<AppendResult> {
  const { maxBodyChars, compose, onRefused } = options;
  let refusal: unknown;
  for (const chars of [maxBodyChars, ...shorterBodies]) {
    const message = await compose(chars);
    if (message === null) return { receipt: null };
    try {
      await sink.append({ role: 'user', content: message.text, receipt: message.receipt });
      return { receipt: message.receipt };
    } catch (error) {
      refusal = error;
      onRefused(error, chars);
    }
  }
  return { receipt: undefined, error: refusal };
}

interface AuthorityQuestion extends CallOptions {
  /** Default: everyone may steer. */
  readonly authorityOf?:
    | ((comment: Comment, options: CallOptions) => Promise<Authority> | Authority)
    | undefined;
  /** Told when it could not be asked; the comment then counts as information. */
  readonly onUnknown: (error: unknown, id: string) => void;
}

/** Asks who may steer, for every comment of the changes. Fails closed. @see decision X11 */
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

/** Takes out of a text, of a comment or its author's name, all that the model may not see. */
export type CleanText = (text: string, comment: Comment) => string | Promise<string>;

/** The changes with nothing in them that the model may not see, earlier bodies included. */
export function cleanChanges(
  changes: readonly CommentChange[],
  cleanText: CleanText = (text) => text,
): Promise<readonly CommentChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      const { previousBody } = change;
      const [comment, previous] = await Promise.all([
        cleanComment(change.comment, cleanText),
        previousBody === null ? null : cleanText(previousBody, change.comment),
      ]);
      return { ...change, comment, previousBody: previous };
    }),
  );
}

/** The comment with nothing in it that the model may not see. */
export async function cleanComment(
  comment: Comment,
  cleanText: CleanText = (text) => text,
): Promise<Comment> {
  const { author } = comment;
  const [login, body] = await Promise.all([
    author === null ? '' : cleanText(author.login, comment),
    cleanText(comment.body, comment),
  ]);
  return { ...comment, author: author === null ? null : { ...author, login }, body };
}

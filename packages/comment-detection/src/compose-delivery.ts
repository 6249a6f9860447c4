import type { Authority, CallOptions, ObservedAuthority } from '@agent/platforms';
import { cleanText as cleanByDefault, isProgrammingError } from '@agent/text';
import { checkValue, show } from '@agent/text/options';
import type { CommentChange, ContextSink, DeliveryReceipt } from './changes.ts';
import type { AuthorityOptions, SourceComment } from './comment.ts';
import { cleanSubject } from './comment-subject.ts';
import {
  type CommentMessageOptions,
  type FittedText,
  formatChangesMessage,
  toChangeText,
} from './format-changes-message.ts';

/** A message that tells the model of changes, and what it delivers. */
export interface ComposedDelivery {
  readonly text: string;
  readonly receipt: DeliveryReceipt;
  /** Tells whether somebody who may steer the agent, or of whom that is not known yet, said any of what is to be told. */
  readonly fromTrusted: boolean;
  /** True where the message has no room for all of it: the rest is for the next one. */
  readonly hasMore: boolean;
}

/** To how many characters bodies are cut when a message does not fit. @see decision B10 */
const shorterBodies: readonly number[] = [2000, 500];

/** Authority of the author, for every comment of the changes. */
export type Authorities = ReadonlyMap<string, ObservedAuthority>;

export interface ComposeOptions extends Pick<CommentMessageOptions, 'prepareBody'> {
  readonly authorities: Authorities;
  readonly maxBodyChars: number;
  /** A message takes as many changes as fit; one that is longer by itself has its body cut. */
  readonly maxMessageChars: number;
}

/** A change on its way to the model. */
export interface FittedChange {
  readonly change: CommentChange;
  readonly authority: ObservedAuthority;
  /** Place, body and what an edit changed, clean and whole. */
  readonly text: string;
  /** Position of the comment's body in the text. */
  readonly bodyAt: number;
}

/** Part of a batch of changes that one message shows. */
export interface DeliveryFit {
  /** Texts that are shown, by the comment's id. A change that is missing here is named in `rest`. */
  readonly shown: ReadonlyMap<string, FittedText>;
  /** Stands at the end of the message: the changes that are not shown. Empty if all are. */
  readonly rest: string;
}

/** Decides how much of each change one message shows, e.g. by the model's context window. */
export type FitDelivery = (changes: readonly FittedChange[]) => DeliveryFit;

/** One message for all changes, as far as `fit` has room for their texts. */
export function composeFitted(
  changes: readonly CommentChange[],
  {
    authorities,
    prepareBody,
    fit,
  }: Pick<ComposeOptions, 'authorities' | 'prepareBody'> & { readonly fit: FitDelivery },
): ComposedDelivery {
  const authorityOf = ({ id }: SourceComment) => authorities.get(id) ?? 'unknown';
  const { shown, rest } = fit(
    changes.map((change) => ({
      change,
      authority: authorityOf(change.comment),
      ...toChangeText(change),
    })),
  );
  const visible = changes.filter(({ comment: { id } }) => shown.has(id));
  const text = formatChangesMessage(visible, { prepareBody, authorityOf, fitted: shown });
  const delivers = changes.map(({ kind, revision, comment: { id } }) => ({
    ...{ id, revision, kind },
    ...toShown(shown.get(id)),
  }));
  return {
    text: [text, rest].filter((part) => part !== '').join('\n\n'),
    receipt: { delivers },
    fromTrusted: changes.some(({ comment }) => authorityOf(comment) !== 'untrusted'),
    hasMore: false,
  };
}

function toShown(fitted: FittedText | undefined): Pick<DeliveryReceipt['delivers'][number], 'shown'> {
  if (fitted === undefined) return { shown: 'line' };
  return fitted.note === '' ? {} : { shown: 'part' };
}

/** As many of the changes as one message holds, in their order; whatever is left is for the next message. */
export function composeDelivery(
  changes: readonly CommentChange[],
  { authorities, maxBodyChars, maxMessageChars, prepareBody }: ComposeOptions,
): ComposedDelivery {
  const authorityOf = ({ id }: SourceComment) => authorities.get(id) ?? 'unknown';
  const format = (some: readonly CommentChange[], chars = maxBodyChars) =>
    formatChangesMessage(some, { prepareBody, authorityOf, maxBodyChars: Math.min(chars, maxBodyChars) });
  let told = changes;
  let text = format(told);
  let bodyChars = maxBodyChars;
  while (text.length > maxMessageChars && told.length > 1) {
    told = told.slice(0, Math.max(1, Math.floor((told.length * maxMessageChars) / text.length)));
    text = format(told);
  }
  for (const chars of [maxMessageChars, Math.floor(maxMessageChars / 2), ...shorterBodies]) {
    if (text.length <= maxMessageChars) break;
    bodyChars = Math.min(chars, maxBodyChars);
    text = format(told, chars);
  }
  const delivers = told.map(({ kind, revision, comment: { id, body } }) => ({
    ...{ id, revision, kind },
    ...(body.length > bodyChars ? { shown: 'part' as const } : {}),
  }));
  const fromTrusted = changes.some(({ comment }) => authorityOf(comment) !== 'untrusted');
  return { text, receipt: { delivers }, fromTrusted, hasMore: told.length < changes.length };
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
      if (isProgrammingError(error)) throw error;
      refusal = error;
      onRefused(error, chars);
    }
  }
  return { receipt: undefined, error: refusal };
}

interface AuthorityQuestion extends CallOptions {
  /** Default: everyone may steer. */
  readonly authorityOf?:
    | ((comment: SourceComment, options: AuthorityOptions) => Promise<Authority> | Authority)
    | undefined;
  /** Default: never. */
  readonly needsFreshAuthority?: ((comment: SourceComment) => Promise<boolean> | boolean) | undefined;
  /** Called once for each author whose authority could not be requested. */
  readonly onUnknown: (error: unknown, id: string) => void;
}

/**
 * Requests the authority of every comment's author: once for each author, freshly if one of the comments needs that. An authority that
 * could not be requested is `unknown`: no yes, and no no.
 *
 * @throws TypeError for an answer that is no authority
 * @see decision X11
 */
export async function askAuthorities(
  changes: readonly { readonly comment: SourceComment }[],
  question: AuthorityQuestion,
): Promise<Authorities> {
  const byAuthor = Map.groupBy(
    changes.map(({ comment }) => comment),
    authorKeyOf,
  );
  const authorities = new Map<string, ObservedAuthority>();
  for (const [first, ...others] of byAuthor.values()) {
    if (first === undefined) continue;
    const authority = await askAuthority([first, ...others], question);
    for (const { id } of [first, ...others]) authorities.set(id, authority);
  }
  return authorities;
}

/** Comments with the same key have the same authority. A comment without an author has a key of its own. */
function authorKeyOf({ id, author, part, visibility, subject }: SourceComment): string {
  const account = author === null ? `comment ${id}` : author.id === '' ? `@${author.login}` : author.id;
  return JSON.stringify([account, part, visibility, subject?.kind]);
}

async function askAuthority(
  comments: readonly [SourceComment, ...SourceComment[]],
  { authorityOf = () => 'trusted', needsFreshAuthority = () => false, onUnknown, signal }: AuthorityQuestion,
): Promise<ObservedAuthority> {
  const [first] = comments;
  let authority: unknown;
  try {
    let fresh = false;
    for (const comment of comments) fresh ||= await needsFreshAuthority(comment);
    authority = await authorityOf(first, { signal, fresh });
  } catch (error) {
    onUnknown(error, first.id);
    return 'unknown';
  }
  if (authority === 'trusted' || authority === 'untrusted') return authority;
  throw new TypeError(`authorityOf must return "trusted" or "untrusted"; it returned ${show(authority)}.`);
}

/** Takes out of a text, of a comment or its author's name, all that the model may not see. */
export type CleanText = (text: string, comment: SourceComment) => string | Promise<string>;

/** The cleaner, by default one that removes hidden characters and markup. It rejects with a TypeError if the result is no text. */
export function toCleaner(
  cleanText: CleanText = cleanByDefault,
): (text: string, comment: SourceComment) => Promise<string> {
  return async (text, comment) => {
    const clean = await cleanText(text, comment);
    checkValue('The result of cleanText', clean, cleanedText);
    return clean;
  };
}

const cleanedText = {
  isMet: (value: unknown) => typeof value === 'string',
  text: 'a text, such as that of cleanText of @agent/text',
};

/** The changes with nothing in them that the model may not see, earlier bodies included. */
export function cleanChanges(
  changes: readonly CommentChange[],
  cleanText?: CleanText,
): Promise<readonly CommentChange[]> {
  const clean = toCleaner(cleanText);
  return Promise.all(
    changes.map(async (change) => {
      const { previousBody } = change;
      const [comment, previous] = await Promise.all([
        cleanComment(change.comment, cleanText),
        previousBody === null ? null : clean(previousBody, change.comment),
      ]);
      return { ...change, comment, previousBody: previous };
    }),
  );
}

/** The comment with nothing in it that the model may not see. */
export async function cleanComment(comment: SourceComment, cleanText?: CleanText): Promise<SourceComment> {
  const clean = toCleaner(cleanText);
  const { author, subject } = comment;
  const [login, body, place] = await Promise.all([
    author === null ? '' : clean(author.login, comment),
    clean(comment.body, comment),
    subject == null ? null : cleanSubject(subject, (text) => clean(text, comment)),
  ]);
  return {
    ...comment,
    author: author === null ? null : { ...author, login },
    body,
    ...(place === null ? {} : { subject: place }),
  };
}

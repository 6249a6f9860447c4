import type { Authority, CallOptions, CommentAuthor, CommentSource } from '../comment.ts';

/** A part of what people write on a thread. */
export type SourceInclude = 'comments' | 'reviews' | 'line-comments' | 'thread';

/** Options of a source over your own client. */
export interface SourceOptions {
  /**
   * Parts that are read: the conversation, reviews, comments on lines, and edits of title and description. Default: all.
   * `['comments']` reads the conversation alone. Reviews and line comments are read on pull and merge requests only.
   */
  readonly include?: readonly SourceInclude[] | undefined;
  /** Milliseconds since 1970, for limits that end at a time and for remembered permissions. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** The options with their defaults. */
export interface SourceSettings {
  readonly includes: (part: SourceInclude) => boolean;
  readonly now: () => number;
}

const parts: readonly SourceInclude[] = ['comments', 'reviews', 'line-comments', 'thread'];

/** @throws TypeError for an unknown part, or for none */
export function readSourceOptions({ include = parts, now = Date.now }: SourceOptions): SourceSettings {
  const isKnown = Array.isArray(include) && include.length > 0 && include.every((one) => parts.includes(one));
  if (!isKnown)
    throw new TypeError(
      `The option include of createCommentSource is a list of ${parts.join(', ')}, with at least one of them. It is ${JSON.stringify(include)}.`,
    );
  return { includes: (part) => include.includes(part), now };
}

/** Milliseconds for which the permission of an account is remembered. */
const rememberedMs = 300_000;

/**
 * Remembers the authority of each account for five minutes. Comments of one account that are asked about at the same time share a
 * request. A question for a fresh answer makes a request of its own. Bots and deleted accounts are untrusted.
 *
 * @param ask requests the permission of an account that has an id
 */
export function rememberAuthorities(
  ask: (author: CommentAuthor, options: CallOptions) => Promise<Authority>,
  now: () => number,
): NonNullable<CommentSource['authorityOf']> {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<Authority> }>();
  return async ({ author }, { fresh = false, signal }) => {
    if (author === null || author.id === '' || author.kind === 'bot' || /\[bot\]$/iu.test(author.login))
      return 'untrusted';
    const remembered = known.get(author.id);
    const age = remembered === undefined ? Number.NaN : now() - remembered.at;
    if (!fresh && remembered !== undefined && age >= 0 && age < rememberedMs) return remembered.answer;
    const asked = { at: now(), answer: ask(author, { signal }) };
    known.set(author.id, asked);
    try {
      return await asked.answer;
    } catch (error) {
      if (known.get(author.id) === asked) known.delete(author.id);
      throw error;
    }
  };
}

import type { Authority, CallOptions } from '@agent/platforms';
import { type Expectation, expected } from '@agent/text/options';
import type { CommentAuthor, CommentSource } from '../comment.ts';
import { askWithin } from '../read-listing.ts';

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

/** Conditions of the options. */
export const sourceExpectations = {
  include: {
    isMet: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => parts.includes(one as SourceInclude)),
    text: `an array of at least one of ${parts.join(', ')}`,
  },
  now: expected.function,
} as const satisfies Record<keyof SourceOptions, Expectation>;

/** Fills in the defaults of options that were checked. */
export function readSourceOptions({ include = parts, now = Date.now }: SourceOptions): SourceSettings {
  return { includes: (part) => include.includes(part), now };
}

/** Milliseconds for which the permission of an account is remembered. */
const rememberedMs = 300_000;
/** Milliseconds for which a refusal answers a question for a fresh answer, so that commands of an untrusted user cost no request each. */
const refusedMs = 10_000;
/** Longest duration of a request in milliseconds. */
const requestMs = 60_000;

/**
 * Remembers the authority of each account for five minutes. Questions about an account at the same time share a request, which continues
 * if one of them is aborted. A question for a fresh answer accepts a remembered refusal for ten seconds, and nothing else that is
 * remembered. Bots and deleted accounts are untrusted.
 *
 * @param ask requests the permission of an account that has an id
 */
export function rememberAuthorities(
  ask: (author: CommentAuthor, options: CallOptions) => Promise<Authority>,
  now: () => number,
): NonNullable<CommentSource['authorityOf']> {
  const known = new Map<string, { readonly at: number; readonly authority: Authority }>();
  const asking = new Map<string, Promise<Authority>>();
  const request = async (author: CommentAuthor): Promise<Authority> => {
    const limit = AbortSignal.timeout(requestMs);
    const authority = await askWithin(limit, () => ask(author, { signal: limit }));
    known.set(author.id, { at: now(), authority });
    return authority;
  };
  return async ({ author }, { fresh = false, signal }) => {
    if (author === null || author.id === '' || author.kind === 'bot' || /\[bot\]$/iu.test(author.login))
      return 'untrusted';
    signal?.throwIfAborted();
    const remembered = known.get(author.id);
    const longestMs = !fresh ? rememberedMs : remembered?.authority === 'untrusted' ? refusedMs : 0;
    const age = remembered === undefined ? Number.NaN : now() - remembered.at;
    if (remembered !== undefined && age >= 0 && age < longestMs) return remembered.authority;
    const answer = asking.get(author.id) ?? request(author).finally(() => asking.delete(author.id));
    asking.set(author.id, answer);
    return signal === undefined ? answer : askWithin(signal, () => answer);
  };
}

import type { Account, Comment } from '@agent/platforms';
import type { CleanText } from '../inbox/create-text-cleaner.ts';
import type { Authority } from '../inbox/create-text-guard.ts';
import { markHandledCommands } from '../inbox/parse-command.ts';
import { toWellFormedSlice } from '../run/fit-text.ts';

/** A comment that a decision can rest on, as the model that summarizes sees it. */
export interface SourceComment {
  readonly id: string;
  readonly authority: Authority;
  readonly text: string;
}

export interface SourceCommentOptions {
  readonly clean: CleanText;
  readonly authorityOf: (account: Account | null) => Promise<Authority>;
  /** Our own comments decide nothing. */
  readonly isOwn: (comment: Comment) => boolean;
  readonly countTokens: (text: string) => number;
  /** Of all of them together. */
  readonly maxTokens: number;
}

/** Enough to know a comment again in the record, where it stands whole. */
const maxTextChars = 400;

/** The newest comments of people, as many as fit, the oldest of them first. */
export async function listSourceComments(
  comments: readonly Comment[],
  { clean, authorityOf, isOwn, countTokens, maxTokens }: SourceCommentOptions,
): Promise<readonly SourceComment[]> {
  const listed: SourceComment[] = [];
  let left = maxTokens;
  for (const comment of comments.toReversed()) {
    if (isOwn(comment)) continue;
    const authority = await authorityOf(comment.author);
    const said = await clean(comment.body, comment.url);
    const text = toWellFormedSlice(
      (authority === 'trusted' ? markHandledCommands(said) : said).trim(),
      maxTextChars,
    );
    if (text === '') continue;
    left -= countTokens(`${comment.id}\n${text}\n`);
    if (left < 0) break;
    listed.unshift({ id: comment.id, authority, text });
  }
  return listed;
}

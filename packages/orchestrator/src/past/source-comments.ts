import type { CurrentComments } from '@agent/context-inheritance';
import type { Account, Comment } from '@agent/platforms';
import { markHandledCommands } from '../inbox/commands.ts';
import { type DeliveringEntry, readDeliveries } from '../inbox/delivered-comments.ts';
import type { Authority, CleanText } from '../inbox/text-guard.ts';
import { toWellFormedSlice } from '../report/fit-text.ts';
import { hashComments } from './inherit-context.ts';

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
  /** Limit for all of them together. */
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

export interface ToldComments {
  readonly comments: readonly Comment[];
  /**
   * SHA-256 of each body, by id; of one that changed since it was told, what no body has: a decision that rests on
   * it is stale from the start.
   */
  readonly hashes: CurrentComments;
}

export interface ToldCommentsOptions {
  /** The thread as it is now, oldest first. */
  readonly listed: readonly Comment[];
  /** ISO 8601, when the run began: until then all was told, where the journal does not say what was. */
  readonly toldUntil: string;
}

const changedSince = 'changed since it was told';

/** The comments that a run was told of, as its journal says: only on these can its decisions rest (decision C11). */
export async function findToldComments(
  journal: AsyncIterable<DeliveringEntry>,
  { listed, toldUntil }: ToldCommentsOptions,
): Promise<ToldComments> {
  const current = hashComments({ comments: listed, complete: true }) ?? new Map<string, string>();
  const told = await readTold(journal);
  const isTold = ({ id, createdAt }: Comment): boolean =>
    told === null ? !isLater(createdAt, toldUntil) : told.has(id);
  const comments = listed.filter(isTold);
  const hashes = comments.map(({ id, updatedAt }) => {
    const hash = current.get(id) ?? changedSince;
    const isSame = told === null ? !isLater(updatedAt, toldUntil) : hash.startsWith(told.get(id) ?? '');
    return [id, isSame ? hash : changedSince] as const;
  });
  return { comments, hashes: new Map(hashes) };
}

/** The beginning of the body's SHA-256 by id, as it was told last; null where the journal tells of no comment. */
async function readTold(
  journal: AsyncIterable<DeliveringEntry>,
): Promise<ReadonlyMap<string, string> | null> {
  const deliveries = (await readDeliveries(journal)).flatMap(({ delivers }) => delivers);
  if (deliveries.length === 0) return null;
  const told = new Map<string, string>();
  for (const { id, revision, kind } of deliveries) {
    if (kind === 'deleted') told.delete(id);
    else told.set(id, revision.split('@')[0] ?? '');
  }
  return told;
}

function isLater(moment: string | null, other: string): boolean {
  return moment !== null && Date.parse(moment) > Date.parse(other);
}

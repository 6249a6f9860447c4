import { compareComments, isObservedPoll, type Observation } from '@agent/comment-detection';
import { type Account, type Comment, isSameAccount, type Thread } from '@agent/platforms';
import { parseCommentMarker } from '@agent/platforms/comments';
import { isProgressTopic } from '../run/status-comment.ts';
import { type DeliveringEntry, readHearing } from '../thread/detection-record.ts';
import { watchOpenings } from '../thread/shown-comments.ts';
import { threadTextId, toTextComment } from '../thread/thread-text.ts';
import { isOwnComment, isOwnThread, toAccount } from '../thread/trust.ts';

/** A comment of a thread, as a run knows it. */
export interface BookedComment {
  readonly id: string;
  /** Place in the conversation, from 1; null for reviews, comments on lines, checks, and the issue's own text. */
  readonly number: number | null;
  readonly author: Account | null;
  readonly isOwn: boolean;
  /** Newest text that the run knows; that of a deleted comment as it was last seen. */
  readonly body: string;
  readonly createdAt: string;
  /** ISO 8601; null if it was never edited. */
  readonly editedAt: string | null;
  readonly isDeleted: boolean;
  readonly visibility: string;
  readonly url: string | null;
}

export interface ThreadBookOptions {
  readonly journal: { readonly read: () => AsyncIterable<DeliveringEntry> };
  /** Lists the comments of the thread, oldest first; asked once. */
  readonly listComments: () => Promise<readonly Comment[]>;
  /** Reads the issue itself, for its own text. */
  readonly readThread: () => Promise<Thread>;
  readonly ownAccount: Account;
  /** The run whose own reports are left out. */
  readonly uuid: string;
}

/** Lists the comments of a thread as a run knows them, those of the conversation first, in its order. */
export type ListBooked = () => Promise<readonly BookedComment[]>;

/** Creates it. The journal of the run is read each time, so that it is up to date. */
export function createThreadBook(options: ThreadBookOptions): ListBooked {
  const { journal, listComments, ownAccount, uuid } = options;
  let listed: Promise<readonly Comment[]> | null = null;
  const listOnce = (): Promise<readonly Comment[]> => {
    listed ??= listComments().catch((error: unknown) => {
      listed = null;
      throw error;
    });
    return listed;
  };
  return async () => {
    const { observed, isKnown } = await readRecord(journal.read());
    const comments = (await listOnce()).filter((comment) => !isReport(comment, { ownAccount, uuid }));
    const known = new Map<string, BookedComment & { readonly isSpoken: boolean }>();
    for (const comment of comments) {
      if (!isKnown(comment)) continue;
      const isOwn = isOwnComment(comment, ownAccount);
      const { id, author, body, createdAt, updatedAt, visibility, url, subject } = comment;
      known.set(id, {
        ...{ id, number: null, author, isOwn, body, createdAt, visibility, url },
        ...{ editedAt: toEditedAt({ createdAt, updatedAt }), isDeleted: false, isSpoken: subject === null },
      });
    }
    if (!observed.has(threadTextId)) known.set(threadTextId, await bookThread(options));
    for (const observation of observed.values()) known.set(observation.id, toBooked(observation));
    const order = [...known.values()].sort(compareComments);
    const spoken = order.filter(({ isSpoken }) => isSpoken);
    const numbered = spoken.map(({ isSpoken: _, ...one }, index) => ({ ...one, number: index + 1 }));
    const others = order.filter(({ isSpoken }) => !isSpoken);
    return [...numbered, ...others.map(({ isSpoken: _, ...one }) => one)];
  };
}

/** The issue's own text, if it is not polled. */
async function bookThread({
  readThread,
  ownAccount,
}: ThreadBookOptions): Promise<BookedComment & { readonly isSpoken: boolean }> {
  const thread = await readThread();
  const { id, author, body, createdAt, visibility, url } = toTextComment(thread);
  return {
    ...{ id, number: null, author, isOwn: isOwnThread(thread, ownAccount), body, createdAt, visibility, url },
    ...{ editedAt: null, isDeleted: false, isSpoken: false },
  };
}

/** Tells whether a comment is a report of this run, or shows the progress of any: it is not part of the conversation. */
export function isReport(
  { author, body }: Pick<Comment, 'author' | 'body'>,
  { ownAccount, uuid }: Pick<ThreadBookOptions, 'ownAccount' | 'uuid'>,
): boolean {
  const topic = isSameAccount(author, ownAccount) ? parseCommentMarker(body) : null;
  return topic?.startsWith(`run:${uuid}:`) === true || isProgressTopic(topic);
}

interface ThreadRecord {
  /** The newest observation of each comment; that of a deletion has the text that was last seen. */
  readonly observed: ReadonlyMap<string, Observation>;
  /** Tells whether the run knows a comment: the first message was made from it, or a poll has found it since. */
  readonly isKnown: (comment: Pick<Comment, 'id' | 'createdAt'>) => boolean;
}

async function readRecord(entries: AsyncIterable<DeliveringEntry>): Promise<ThreadRecord> {
  const observed = new Map<string, Observation>();
  const openings: (string | null)[] = [];
  for (const event of await readHearing(watchOpenings(entries, (until) => openings.push(until)))) {
    if (!isObservedPoll(event)) continue;
    for (const observation of event.observations) observed.set(observation.id, observation);
  }
  const until = openings.at(-1);
  const isOpened = (createdAt: string) =>
    until === undefined || (until !== null && Date.parse(createdAt) <= Date.parse(until));
  return { observed, isKnown: ({ id, createdAt }) => observed.has(id) || isOpened(createdAt) };
}

function toBooked(observation: Observation): BookedComment & { readonly isSpoken: boolean } {
  const { id, kind, author, body, createdAt, updatedAt, visibility, part, url, subject } = observation;
  return {
    id,
    number: null,
    author: toAccount(author),
    isOwn: false,
    body,
    createdAt,
    editedAt: kind === 'edited' ? (updatedAt ?? createdAt) : toEditedAt({ createdAt, updatedAt }),
    isDeleted: kind === 'deleted',
    visibility: visibility ?? 'public',
    url: url ?? null,
    isSpoken: part !== 'thread' && id !== threadTextId && subject === undefined,
  };
}

function toEditedAt({
  createdAt,
  updatedAt,
}: {
  readonly createdAt: string;
  readonly updatedAt: string | null;
}): string | null {
  return updatedAt !== null && Date.parse(updatedAt) > Date.parse(createdAt) ? updatedAt : null;
}

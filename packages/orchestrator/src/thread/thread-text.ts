import type { SourceComment } from '@agent/comment-detection';
import { type HeardEvent, isObservedPoll } from '@agent/comment-detection';
import type { Account, Comment, CommentSource, Thread, ThreadReader } from '@agent/platforms';
import type { RunLogger } from '../host/ports.ts';
import { isOwnThread } from './trust.ts';

/** Comments of a thread, with a proof of what is gone where the platform can give one. */
export type ProvenComments = CommentSource & Pick<ThreadReader, 'getComment'>;

/** Id of a thread's own title and text among its comments; no platform gives it to a comment. */
export const threadTextId = 'thread';

/** Milliseconds between two readings of the title and text, but before the end. */
const rereadMs = 60_000;

/** The title and text as one of the comments, by the thread's author; an edit of them has no time of its own. */
export function toTextComment({ title, body, author, createdAt, url }: Thread): SourceComment & Comment {
  const text = body.trim() === '' ? title : `${title}\n\n${body}`;
  return {
    ...{ id: threadTextId, part: 'thread', author, body: text },
    ...{ createdAt, updatedAt: null, url, visibility: 'public', subject: null },
  };
}

/** The same, but for what was heard of the thread's own title and text. */
export function withoutThreadText(event: HeardEvent): HeardEvent {
  const isComment = ({ id }: { readonly id: string }) => id !== threadTextId;
  return isObservedPoll(event)
    ? { ...event, observations: event.observations.filter(isComment) }
    : { ...event, delivers: event.delivers.filter(isComment) };
}

export interface ThreadTextOptions {
  readonly reader: Pick<ThreadReader, 'readThread'>;
  /** The agent's own account: what it writes itself is no news. */
  readonly ownAccount: Account;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/**
 * The same comments, and the thread's own title and text among them: once a minute, and at each poll that has to be fresh.
 * They are read first: what a source has listed it may call "unchanged" the next time. A poll fails where they could not be read yet.
 */
export function withThreadText(source: ProvenComments, options: ThreadTextOptions): ProvenComments {
  const { reader, ownAccount, now, logger } = options;
  let readAt: number | null = null;
  let current: Comment | null = null;
  let listed: string | null = null;
  const read = async (signal: AbortSignal | undefined): Promise<void> => {
    const thread = await reader.readThread({ signal });
    current = isOwnThread(thread, ownAccount) ? null : toTextComment(thread);
    readAt = now();
  };
  const { getComment } = source;
  return {
    listComments: async (poll) => {
      // One that was never read would look as if it were gone.
      if (poll.fresh === true || readAt === null) await read(poll.signal);
      else if (now() - readAt >= rereadMs) {
        await read(poll.signal).catch((error: unknown) => {
          poll.signal?.throwIfAborted();
          logger.warn({ err: error }, 'failed to read title and description');
        });
      }
      const listing = await source.listComments(poll);
      const text = current;
      if (text === null || (!listing.complete && text.body === listed)) return listing;
      listed = text.body;
      return { ...listing, comments: [text, ...listing.comments], unchanged: false };
    },
    ...(getComment === undefined
      ? {}
      : { getComment: async (id, call) => (id === threadTextId ? current : getComment(id, call)) }),
  };
}

import type { Comment, RepositoryListing } from '../model.ts';

/** News of one thread, as polls of its repository have shown them. */
export interface Mailbox {
  readonly thread: string;
  /** Grows with everything that arrives or goes. */
  readonly version: () => number;
  /** Number of times that the platform has said only that something changed. */
  readonly calls: () => number;
  /** Returns the comments that changed at this time or later, and forgets older ones. */
  readonly readSince: (since: string) => readonly Comment[];
  /** Takes what a poll has shown of this thread; a comment that arrived since its time and is not in it is gone. */
  readonly receive: (listing: Pick<RepositoryListing, 'changes' | 'since'>) => void;
}

/** An empty mailbox. */
export function createMailbox(thread: string): Mailbox {
  const comments = new Map<string, Comment>();
  let version = 0;
  let calls = 0;
  return {
    thread,
    version: () => version,
    calls: () => calls,
    readSince: (since) => {
      for (const comment of comments.values()) {
        if (changedAt(comment) < Date.parse(since)) comments.delete(comment.id);
      }
      return [...comments.values()];
    },
    receive: ({ changes, since }) => {
      const listed = new Map<string, Comment>();
      for (const { comment } of changes) {
        if (comment === null) calls += 1;
        else listed.set(comment.id, comment);
      }
      for (const comment of comments.values()) {
        const isGone = since !== null && changedAt(comment) >= Date.parse(since) && !listed.has(comment.id);
        if (isGone && comments.delete(comment.id)) version += 1;
      }
      for (const comment of listed.values()) {
        if (isSame(comments.get(comment.id), comment)) continue;
        comments.set(comment.id, comment);
        version += 1;
      }
    },
  };
}

const changedAt = ({ updatedAt, createdAt }: Comment) => Date.parse(updatedAt ?? createdAt);

function isSame(one: Comment | undefined, other: Comment): boolean {
  return one?.updatedAt === other.updatedAt && one.body === other.body;
}

import type { Comment, CommentListing } from '../model.ts';
import { type TaskKey, toRepositoryName, toThreadName } from '../task-key.ts';

/** A webhook's news: something happened to a comment. */
export interface Ring {
  /** The thread; an issue's key also stands for a pull request with its number, and the other way round. */
  readonly key: TaskKey;
  /** Null where the webhook names no comment. */
  readonly commentId: string | null;
  /** When the comment was written or last edited, by the platform's clock; null where it does not say. */
  readonly updatedAt: string | null;
  readonly deleted: boolean;
  /**
   * The comment as an authenticated webhook shows it; told only where no request can be spared for a poll in time.
   * Default: null.
   */
  readonly comment?: Comment | null;
}

/** Brings what webhooks say to those who poll. The listing is the truth; what a ring carries only bridges a shortage. */
export interface Doorbell {
  /** Rings that come twice, late or in another order do no harm; neither does one that nobody hears. */
  readonly ring: (ring: Ring) => void;
  /** Hears the rings of one thread, or of all where the key is null. Gives back what ends it. */
  readonly onRing: (key: TaskKey | null, listener: (ring: Ring) => void) => () => void;
  /**
   * Tells whether it has rung for a comment on any thread of this one's repository since it was made. A secret or another
   * event says nothing: the webhook may not be registered, or not for comments.
   */
  readonly hasNotified: (key: TaskKey) => boolean;
}

/**
 * One bell for the threads of one platform, because a key names no host.
 *
 * @example
 * const bell = createDoorbell();
 * const stop = bell.onRing(key, ({ commentId }) => console.log(commentId));
 * bell.ring({ key, commentId: '7', updatedAt: null, deleted: false }); // logs '7'
 * stop();
 */
export function createDoorbell(): Doorbell {
  const listeners = new Map<string | null, Set<(ring: Ring) => void>>();
  const notified = new Set<string>();
  return {
    ring: (ring) => {
      if (ring.commentId !== null) notified.add(toRepositoryName(ring.key));
      for (const name of [toThreadName(ring.key), null])
        for (const listener of [...(listeners.get(name) ?? [])]) listener(ring);
    },
    onRing: (key, listener) => {
      const name = key === null ? null : toThreadName(key);
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name);
      };
    },
    hasNotified: (key) => notified.has(toRepositoryName(key)),
  };
}

/** Number of comments that a thread is known to have shown, and to have lost: the newest of them. */
const maxKnown = 1000;

/** Rings that no listing has answered yet. */
export interface PendingNotifications {
  readonly add: (ring: Ring, at: number) => void;
  readonly size: () => number;
  /** Tells whether one of them asks for a poll at this time. */
  readonly isDue: (at: number) => boolean;
  /** Tells whether one of them can be answered by the whole thread only. */
  readonly needWhole: () => boolean;
  /** Counts those so far: the mark of a poll that begins now. */
  readonly count: () => number;
  /** A poll that began when so many had rung, and has ended now. */
  readonly settle: (listing: CommentListing, poll: { readonly heard: number; readonly at: number }) => void;
  /** The comments that open rings carry, for want of a poll; these rings are answered by it. Deletions stay open. */
  readonly takeCarried: () => readonly Comment[];
}

interface OpenRing {
  readonly ring: Ring;
  /** Number of rings before it. */
  readonly index: number;
  /** Polls that began after the ring and did not show what it names. */
  readonly misses: number;
  readonly dueAt: number;
}

/**
 * None at first. A ring is open until a listing shows what it names, or until so many polls after it have not: the
 * platform's lists lag behind its webhooks, but a comment may also be gone again.
 */
export function createPendingNotifications({
  repeatAfterMs,
}: {
  readonly repeatAfterMs: readonly number[];
}): PendingNotifications {
  let open: readonly OpenRing[] = [];
  let count = 0;
  const shown = new Map<string, number>();
  const deleted = new Set<string>();
  const show = ({ id, updatedAt, createdAt }: Comment) => {
    shown.delete(id);
    shown.set(id, Date.parse(updatedAt ?? createdAt));
    forgetOldest(shown);
  };
  const isShown = ({ commentId, updatedAt, deleted: isDeletion }: Ring) => {
    const at = commentId === null || isDeletion ? undefined : shown.get(commentId);
    return at !== undefined && updatedAt !== null && at >= Date.parse(updatedAt);
  };
  return {
    add: (ring, at) => {
      if (!isShown(ring)) open = [...open, { ring, index: count, misses: 0, dueAt: at }];
      count += 1;
      if (!ring.deleted || ring.commentId === null) return;
      deleted.add(ring.commentId);
      forgetOldest(deleted);
    },
    size: () => open.length,
    isDue: (at) => open.some(({ dueAt }) => dueAt <= at),
    needWhole: () => open.some(({ ring }) => ring.deleted),
    count: () => count,
    settle: (listing, { heard, at }) => {
      for (const comment of listing.comments) show(comment);
      open = open.flatMap((one) => {
        if (isShown(one.ring)) return [];
        if (one.index >= heard) return [one];
        if (isAnswered(one.ring, { listing, shown })) return [];
        const wait = repeatAfterMs[one.misses];
        return wait === undefined ? [] : [{ ...one, misses: one.misses + 1, dueAt: at + wait }];
      });
    },
    takeCarried: () => {
      const carried = new Map<string, Comment>();
      open = open.filter(({ ring }) => {
        const { comment } = ring;
        if (ring.deleted || comment == null) return true;
        // In the order of the rings: of one second the edited comment is told, never the one before.
        if (!isShown(ring) && !deleted.has(comment.id)) {
          carried.set(comment.id, comment);
          show(comment);
        }
        return false;
      });
      return [...carried.values()];
    },
  };
}

/** The collection is in the order of its entries' last mention. */
function forgetOldest(known: Pick<Map<string, unknown>, 'size' | 'delete' | 'keys'>): void {
  for (const id of known.keys()) {
    if (known.size <= maxKnown) return;
    known.delete(id);
  }
}

/** Tells whether a poll after the ring has shown as much as the ring lets one ask for. */
function isAnswered(
  { commentId, updatedAt, deleted }: Ring,
  { listing, shown }: { readonly listing: CommentListing; readonly shown: ReadonlyMap<string, number> },
): boolean {
  if (commentId === null) return true;
  if (deleted) return listing.complete && listing.comments.every(({ id }) => id !== commentId);
  return updatedAt === null && shown.has(commentId);
}

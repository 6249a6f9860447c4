import type { CommentListing } from '../model.ts';
import type { Ring } from './doorbell.ts';

/** How many comments a thread is known to have shown, the newest of them. */
const maxShown = 1000;

/** Rings that no listing has answered yet. */
export interface OpenRings {
  readonly add: (ring: Ring, at: number) => void;
  readonly size: () => number;
  /** Whether one of them asks for a look at this time. */
  readonly isDue: (at: number) => boolean;
  /** Whether one of them can be answered by the whole thread only. */
  readonly needWhole: () => boolean;
  /** A look that began at `beganAt` and has ended now. */
  readonly settle: (listing: CommentListing, look: { readonly beganAt: number; readonly at: number }) => void;
}

interface OpenRing {
  readonly ring: Ring;
  readonly rungAt: number;
  /** Looks that began after the ring and did not show what it names. */
  readonly misses: number;
  readonly dueAt: number;
}

/**
 * None at first. A ring is open until a listing shows what it names, or until so many looks after it have not: the
 * platform's lists lag behind its webhooks, but a comment may also be gone again.
 */
export function createOpenRings({ repeatAfterMs }: { readonly repeatAfterMs: readonly number[] }): OpenRings {
  let open: readonly OpenRing[] = [];
  const shown = new Map<string, number>();
  const isShown = ({ commentId, updatedAt, deleted }: Ring) => {
    if (commentId === null || deleted) return false;
    const at = shown.get(commentId);
    return at !== undefined && (updatedAt === null || at >= Date.parse(updatedAt));
  };
  return {
    add: (ring, at) => {
      if (!isShown(ring)) open = [...open, { ring, rungAt: at, misses: 0, dueAt: at }];
    },
    size: () => open.length,
    isDue: (at) => open.some(({ dueAt }) => dueAt <= at),
    needWhole: () => open.some(({ ring }) => ring.deleted),
    settle: (listing, { beganAt, at }) => {
      for (const { id, updatedAt, createdAt } of listing.comments) {
        shown.delete(id);
        shown.set(id, Date.parse(updatedAt ?? createdAt));
      }
      for (const id of [...shown.keys()].slice(0, Math.max(0, shown.size - maxShown))) shown.delete(id);
      open = open.flatMap((one) => {
        if (isShown(one.ring) || isAnswered(one, { listing, beganAt })) return [];
        if (one.rungAt > beganAt) return [one];
        const wait = repeatAfterMs[one.misses];
        return wait === undefined ? [] : [{ ...one, misses: one.misses + 1, dueAt: at + wait }];
      });
    },
  };
}

function isAnswered(
  { ring, rungAt }: OpenRing,
  { listing, beganAt }: { readonly listing: CommentListing; readonly beganAt: number },
): boolean {
  if (rungAt > beganAt) return false;
  if (ring.deleted) return listing.complete && listing.comments.every(({ id }) => id !== ring.commentId);
  return ring.commentId === null;
}

import type { Comment } from '../model.ts';
import type { TaskKey } from '../task-key.ts';
import { toRepositoryName, toThreadName } from '../task-key.ts';

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
   * Tells whether it has rung for any thread of this one's repository since it was made. A secret alone says nothing:
   * the webhook may not be registered, or not for comments.
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
      notified.add(toRepositoryName(ring.key));
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

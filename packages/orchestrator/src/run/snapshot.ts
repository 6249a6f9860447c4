import type { CommentListing, Thread } from '@agent/platforms';
import type { Inherited } from '../past/inherit-context.ts';

/** One look at a thread. */
export interface ThreadSnapshot {
  readonly thread: Thread;
  readonly listing: CommentListing;
}

/** What the first prompt and everything later starts from. */
export interface Snapshot extends ThreadSnapshot {
  /** What is taken over from earlier runs; null for a run that begins anew. */
  readonly inherited: Inherited | null;
}

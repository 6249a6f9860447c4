import type { DeliveryReceipt } from './changes.ts';
import type { CommentDetectionManager } from './comment-detection-manager.ts';
import type { CallOptions } from './ports.ts';

/** A message for the model, and what is journalled with it. */
export interface InboxDelivery {
  readonly text: string;
  readonly receipt: DeliveryReceipt;
}

/** What a runner asks at its checkpoints. */
export interface CommentInbox {
  readonly takeDelivery: (options: { readonly barrier: boolean } & CallOptions) => Promise<{
    readonly status: 'checked' | 'skipped' | 'failed';
    readonly delivery: InboxDelivery | null;
    /** Why the thread could not be read. */
    readonly error?: unknown;
  }>;
  readonly markDelivered: (receipt: DeliveryReceipt) => void;
}

/** Options of the inbox of comments. */
export interface CommentInboxOptions {
  /** Told of every delivery that was kept, e.g. to react to its comments or to save the manager's state. */
  readonly onDelivered?: ((receipt: DeliveryReceipt) => void) | undefined;
}

/**
 * The manager as a runner uses it. Taking a delivery looks at the thread and brings all that is undelivered, from
 * earlier looks too; what was taken and never marked is brought again. At the barrier only what trusted people
 * said keeps a run from ending: the rest comes along with it, or stays undelivered for the report.
 *
 * @see decision B21
 */
export function createCommentInbox(
  manager: CommentDetectionManager,
  { onDelivered }: CommentInboxOptions = {},
): CommentInbox {
  return {
    takeDelivery: async ({ barrier, signal }) => {
      // Switched off is not "could not ask", which a barrier would wait for.
      if (!manager.enabled) return { status: 'checked', delivery: null };
      const { status, error } = await manager.checkForChanges({ barrier, signal });
      const looked = { status, ...(error === undefined ? {} : { error }) };
      const composed = await manager.composeDelivery({ signal });
      if (composed === null || (barrier && !composed.fromTrusted)) return { ...looked, delivery: null };
      const { text, receipt } = composed;
      return { ...looked, delivery: { text, receipt } };
    },
    markDelivered: (receipt) => {
      manager.markDelivered(receipt);
      onDelivered?.(receipt);
    },
  };
}

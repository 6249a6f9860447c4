import type { DeliveryReceipt } from './changes.ts';
import type { CommentListing } from './model.ts';

/** Every port function takes its options last, with the signal that ends it early. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks at one thread's comments: a poll, one poll shared by many threads, or a poll that a webhook wakes.
 * With `since: null` it lists the whole thread; with the cursor of an earlier look it may answer only what was
 * created or edited since, equal timestamps included. Not being able to look is a rejection, never an empty list.
 *
 * @see seed 001 §3.2 (`get_comments`)
 */
export interface CommentSource {
  readonly listComments: (options: CommentLookOptions) => Promise<CommentListing>;
}

/** Options of a look at a thread. */
export interface CommentLookOptions extends CallOptions {
  /** Cursor of an earlier look; null for the whole thread. */
  readonly since: string | null;
  /**
   * True at the finish barrier: the answer has to come from a request that begins after this call. A source that
   * shares or spares requests heeds it; one that asks at every look need not.
   *
   * @see decision B21
   */
  readonly fresh: boolean;
}

/** A user message on its way to the model, and what it delivers. */
export interface SinkMessage {
  readonly role: 'user';
  readonly content: string;
  readonly receipt: DeliveryReceipt;
}

/**
 * Puts a message into the model's context. Resolves once message and receipt are kept for good; rejects with
 * `{ code: 'context-full' }` when the message does not fit.
 *
 * @see seed 001 §3.1 (`llm_client.send_user_message`)
 */
export interface ContextSink {
  readonly append: (message: SinkMessage) => Promise<void>;
}

/** One message of a Discord thread, as far as a transcript needs it. */
export interface ThreadMessage {
  readonly id: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly authorIsBot: boolean;
  /** True for joins, renames and the like, which nobody wrote. */
  readonly isSystem: boolean;
  readonly content: string;
}

/**
 * Reads a thread's history, which is the only memory there is of a conversation. `complete` is false when
 * reading broke off: what could be had is answered all the same.
 *
 * @see seed 003 §2.3
 */
export interface ThreadReader {
  readonly readMessages: (
    threadId: string,
    options: { readonly maxMessages: number; readonly signal?: AbortSignal | undefined },
  ) => Promise<{ readonly messages: readonly ThreadMessage[]; readonly complete: boolean }>;
}

/** One turn of a transcript. @see seed 003 §4.2 */
export interface ChatTurn {
  /** `assistant` for the bot's own posts only. */
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

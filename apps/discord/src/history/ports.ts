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

/** Reads a thread, which is the only memory there is of a conversation. */
export interface ThreadReader {
  /** Newest first; fewer than `limit` only at the thread's beginning. */
  readonly fetchPage: (options: {
    /** Id of a message: only older ones. Null: from the newest on. */
    readonly before: string | null;
    /** 1 to 100. */
    readonly limit: number;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<readonly ThreadMessage[]>;
  /** The message that the thread was made from, which stands in the parent channel; null: there is none. */
  readonly fetchStarter: (options?: {
    readonly signal?: AbortSignal | undefined;
  }) => Promise<ThreadMessage | null>;
}

/** One turn of a transcript. @see seed 003 §4.2 */
export interface ChatTurn {
  /** `assistant` for the bot's own posts only. */
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

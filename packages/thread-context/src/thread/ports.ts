/** A message as the thread shows it, whatever the platform calls its parts. */
export interface ThreadMessage {
  readonly id: string;
  readonly authorId: string;
  /** The account's name, not a nickname. */
  readonly authorName: string;
  readonly authorIsBot: boolean;
  /** Tells whether the platform wrote it, e.g. "Alice added Bob to the thread". */
  readonly isSystem: boolean;
  /** The text alone; empty where there are only attachments. */
  readonly content: string;
}

/**
 * Reads one thread. What it rejects with is not wrapped: the caller gets it as it is.
 *
 * @see seed 003 §4.1 (`thread.messages.fetch`)
 */
export interface ThreadReader {
  /**
   * Up to `limit` messages (1 to 100) that are older than `before`, the newest first; `null` begins at the newest.
   * Fewer than `limit` only where the thread begins.
   *
   * @see https://docs.discord.com/developers/resources/message#get-channel-messages
   */
  readonly fetchPage: (options: {
    before: string | null;
    limit: number;
    signal?: AbortSignal | undefined;
  }) => Promise<readonly ThreadMessage[]>;
  /** The message that the thread was made from, which is not in the thread itself; null when there is none. */
  readonly fetchStarter: (options?: { signal?: AbortSignal | undefined }) => Promise<ThreadMessage | null>;
}

/**
 * A message, as a model reads it.
 *
 * @see seed 003 §4.2
 */
export interface ChatTurn {
  /** `assistant` for what the bot itself wrote, `user` for people. */
  readonly role: 'user' | 'assistant';
  /** People's texts begin with their name: `alice: hello`. */
  readonly text: string;
}

/** A turn of which the name is still known by itself. */
export interface ThreadTurn {
  /** Id of its message. */
  readonly id: string;
  /** Null for the bot's own; empty where there was no room for it. */
  readonly name: string | null;
  readonly text: string;
}

/** A turn as a model reads it. */
export function toChatTurn({ name, text }: ThreadTurn): ChatTurn {
  if (name === null) return { role: 'assistant', text };
  return { role: 'user', text: name === '' ? text : `${name}: ${text}` };
}

import {
  type Account,
  type CallOptions,
  type Comment,
  isSameAccount,
  type PlatformThread,
  type Thread,
} from '@agent/platforms';
import { parseCommentMarker } from '@agent/platforms/comments';
import { isMentioned } from '@agent/text';
import { findNamedPlace } from './thread-place.ts';

/** Somebody's naming the agent in a comment or in a thread's own text. */
export interface Mention {
  /** Unique on its host. */
  readonly id: string;
  /** Null for the thread's own text. */
  readonly commentId: string | null;
  readonly author: Account;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When it was written as it stands now: ISO 8601. */
  readonly at: string;
}

export interface ThreadMentionsOptions {
  /** Opens the thread for a reading of its own. */
  readonly open: () => Pick<PlatformThread, 'key' | 'reader' | 'comments'>;
  /** The thread, unique on its host. */
  readonly name: string;
  readonly ownAccount: Account;
}

export interface ReadMentionsOptions extends CallOptions {
  /** True where the thread's own text may have changed. Default false. */
  readonly withText?: boolean | undefined;
}

/** Reads who names the agent on one thread, and remembers it, so that later readings are short. */
export class ThreadMentions {
  readonly #options: ThreadMentionsOptions;
  #ports: ReturnType<ThreadMentionsOptions['open']>;
  #cursor: string | null = null;
  readonly #comments = new Map<string, Mention>();
  #text: Mention | null = null;
  #thread: Pick<Thread, 'createdAt' | 'url'> | null = null;
  #endedAt: string | null = null;

  constructor(options: ThreadMentionsOptions) {
    this.#options = options;
    this.#ports = options.open();
  }

  /** Mentions by people, the oldest first. */
  get all(): readonly Mention[] {
    const mentions = [...(this.#text === null ? [] : [this.#text]), ...this.#comments.values()];
    return mentions.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
  }

  /** When the agent's last final comment was written (ISO 8601); null where there is none. */
  get endedAt(): string | null {
    return this.#endedAt;
  }

  /** The thread as it was read last; null before the first reading. */
  get thread(): Pick<Thread, 'createdAt' | 'url'> | null {
    return this.#thread;
  }

  /** Reads what changed: the comments, and at first or where it is asked for the thread's own text. */
  async readNew({ withText = false, signal }: ReadMentionsOptions = {}): Promise<void> {
    if (withText || this.#thread === null) this.#takeThread(await this.#ports.reader.readThread({ signal }));
    const listing = await this.#ports.comments.listComments({ since: this.#cursor, signal });
    if (listing.complete) this.#comments.clear();
    for (const comment of listing.comments) this.#take(comment);
    this.#cursor = listing.cursor;
  }

  /** Reads all comments again, of a thread that was just read: what was deleted is no mention any more. */
  async readWhole(thread: Thread, { signal }: CallOptions = {}): Promise<void> {
    this.#ports = this.#options.open();
    this.#cursor = null;
    this.#takeThread(thread);
    await this.readNew({ signal });
  }

  #takeThread(thread: Pick<Thread, 'author' | 'body' | 'createdAt' | 'url'>): void {
    const { author, body, createdAt } = thread;
    this.#thread = thread;
    const said = { id: this.#options.name, commentId: null, createdAt, at: createdAt };
    this.#text = this.#names({ author, body }) ? { ...said, author: author as Account } : null;
  }

  #take(comment: Comment): void {
    const { id, author, body, createdAt, updatedAt } = comment;
    this.#comments.delete(id);
    if (this.#names(comment)) {
      const name = `${this.#options.name} ${id}`;
      const said = { id: name, commentId: id, createdAt, at: updatedAt ?? createdAt };
      this.#comments.set(id, { ...said, author: author as Account });
    }
    const isFinal = this.#isOwn(author) && parseCommentMarker(body)?.endsWith(':final') === true;
    if (isFinal && Date.parse(createdAt) >= Date.parse(this.#endedAt ?? createdAt)) this.#endedAt = createdAt;
  }

  /** The agent's own words and those of bots name nobody. */
  #names({ author, body }: { readonly author: Account | null; readonly body: string }): boolean {
    if (author === null || author.kind === 'bot' || this.#isOwn(author)) return false;
    return isMentioned(body, this.#options.ownAccount.login);
  }

  #isOwn(author: Account | null): boolean {
    return author !== null && isSameAccount(author, this.#options.ownAccount);
  }
}

/** Finds the place of a thread by its page; a repository that was renamed counts as the first. */
export function findPlace(places: readonly string[], url: string): string {
  return findNamedPlace(places, url) ?? places[0] ?? '';
}

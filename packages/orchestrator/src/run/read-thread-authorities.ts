import type { Account, Comment, Thread } from '@agent/platforms';
import type { ConversationContext, ConversationEntry } from '@agent/thread-context';
import type { TextAuthority, TextGuard } from '../inbox/create-text-guard.ts';
import { isOwnThread } from '../inbox/is-own-comment.ts';

export interface ThreadAuthoritiesOptions {
  readonly thread: Pick<Thread, 'author' | 'changeRequest'>;
  readonly comments: readonly Pick<Comment, 'id' | 'author'>[];
  /** Who we are. */
  readonly ownAccount: Account;
  readonly guard: Pick<TextGuard, 'authorityOf'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whose words in a conversation may be followed. Our own were written from what strangers said among others: they inform,
 * the text of our own pull request as well. One account is asked about after the other, so that nobody is asked about twice.
 */
export async function readThreadAuthorities(
  { conversation }: ConversationContext,
  { thread, comments, ownAccount, guard, signal }: ThreadAuthoritiesOptions,
): Promise<(entry: ConversationEntry) => TextAuthority> {
  const accounts = new Map<string, Account | null>(comments.map(({ id, author }) => [String(id), author]));
  const authorities = new Map<ConversationEntry, TextAuthority>();
  for (const [index, entry] of conversation.entries()) {
    const isOwn = entry.role === 'assistant' || (index === 0 && isOwnThread(thread, ownAccount));
    const account = index === 0 ? thread.author : (accounts.get(String(entry.metadata.id)) ?? null);
    authorities.set(entry, isOwn ? 'own' : await guard.authorityOf(account, { signal }));
  }
  return (entry) => authorities.get(entry) ?? 'untrusted';
}

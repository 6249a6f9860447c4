import type { Account, Comment, Thread } from '@agent/platforms';
import type { ConversationContext, ConversationEntry } from '@agent/thread-context';
import type { Authority, TextGuard } from '../comments/create-text-guard.ts';

export interface ThreadAuthoritiesOptions {
  readonly thread: Pick<Thread, 'author'>;
  readonly comments: readonly Pick<Comment, 'id' | 'author'>[];
  readonly guard: Pick<TextGuard, 'authorityOf'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whose words in a conversation may be followed. Our own were said before: they inform, like those of everybody who
 * may not steer. One account is asked about after the other, so that nobody is asked about twice.
 */
export async function readThreadAuthorities(
  { conversation }: ConversationContext,
  { thread, comments, guard, signal }: ThreadAuthoritiesOptions,
): Promise<(entry: ConversationEntry) => Authority> {
  const accounts = new Map<string, Account | null>(comments.map(({ id, author }) => [String(id), author]));
  const authorities = new Map<ConversationEntry, Authority>();
  for (const [index, entry] of conversation.entries()) {
    if (entry.role === 'assistant') continue;
    const account = index === 0 ? thread.author : (accounts.get(String(entry.metadata.id)) ?? null);
    authorities.set(entry, await guard.authorityOf(account, { signal }));
  }
  return (entry) => authorities.get(entry) ?? 'untrusted';
}

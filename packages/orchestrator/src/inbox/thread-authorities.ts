import type { Account, Comment, Thread } from '@agent/platforms';
import type { ConversationContext, ConversationEntry } from '@agent/thread-context';
import type { RunPictures } from '../pictures/run-pictures.ts';
import type { TextAuthority, TextGuard } from './text-guard.ts';
import { isOwnThread } from './trust.ts';

export interface ThreadAuthoritiesOptions {
  readonly thread: Pick<Thread, 'author' | 'changeRequest'>;
  readonly comments: readonly Pick<Comment, 'id' | 'author'>[];
  /** The agent's own account. */
  readonly ownAccount: Account;
  readonly guard: Pick<TextGuard, 'authorityOf'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads whose words in a conversation may be followed. Our own were written from what strangers said among others: they inform,
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

export interface ThreadPicturesOptions {
  readonly thread: Pick<Thread, 'body'>;
  readonly comments: readonly Pick<Comment, 'id' | 'body'>[];
  readonly authorityOf: (entry: ConversationEntry) => TextAuthority;
  readonly pictures: Pick<RunPictures, 'describe'>;
  readonly signal?: AbortSignal | undefined;
}

/** Describes the pictures in the texts that a conversation shows, in their order: what stands there before its markup was cleaned. */
export async function describeThreadPictures(
  { conversation }: ConversationContext,
  { thread, comments, authorityOf, pictures, signal }: ThreadPicturesOptions,
): Promise<(entry: ConversationEntry) => string> {
  const bodies = new Map(comments.map(({ id, body }) => [String(id), body]));
  const lines = new Map<ConversationEntry, string>();
  for (const [index, entry] of conversation.entries()) {
    const body = index === 0 ? thread.body : (bodies.get(String(entry.metadata.id)) ?? '');
    lines.set(entry, await pictures.describe(body, { authority: authorityOf(entry), signal }));
  }
  return (entry) => lines.get(entry) ?? '';
}

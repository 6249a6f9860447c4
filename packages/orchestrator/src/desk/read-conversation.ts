import {
  type Account,
  type Comment,
  isSameAccount,
  type PlatformThread,
  parseCommentMarker,
} from '@agent/platforms';
import { cleanUntrustedText } from '@agent/text';
import {
  type ConversationEntry,
  formatFirstMessage,
  type ThreadNoun,
  toConversationContext,
} from '@agent/thread-context';
import type { TextAuthority, TextGuard } from '../inbox/text-guard.ts';
import { isOwnThread } from '../inbox/trust.ts';

/** Options of `readConversation`. */
export interface ReadConversationOptions {
  readonly guard: Pick<TextGuard, 'wrap' | 'authorityOf'>;
  /** The agent's own account. */
  readonly account: Account;
  readonly maxComments: number;
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a thread as it is now, in words for a model: the newest comments as far as they fit. Rejects where it could not be read. */
export async function readConversation(
  { key, reader, comments: source }: Pick<PlatformThread, 'key' | 'reader' | 'comments'>,
  { guard, account, maxComments, maxTokens, signal }: ReadConversationOptions,
): Promise<string> {
  const thread = await reader.readThread({ signal });
  const { comments } = await source.listComments({ since: null, signal });
  const isOwn = ({ author, body }: Pick<Comment, 'author' | 'body'>) =>
    isSameAccount(author, account) && (account.kind === 'bot' || parseCommentMarker(body) !== null);
  const own = new Set(comments.filter(isOwn).map(({ id }) => id));
  const context = toConversationContext(thread, comments, {
    ownAccount: account,
    isOwnComment: ({ id }) => own.has(String(id)),
    maxCommentCount: maxComments,
    cleanText: (text) => cleanUntrustedText(text).text,
  });
  const accounts = new Map(comments.map(({ id, author }) => [String(id), author]));
  const authorities = new Map<ConversationEntry, TextAuthority>();
  for (const [index, entry] of context.conversation.entries()) {
    const isOurs = entry.role === 'assistant' || (index === 0 && isOwnThread(thread, account));
    const author = index === 0 ? thread.author : (accounts.get(String(entry.metadata.id)) ?? null);
    authorities.set(entry, isOurs ? 'own' : await guard.authorityOf(author, { signal }));
  }
  const authorityOf = (entry: ConversationEntry) =>
    authorities.get(entry) ?? authorities.get(toUncut(entry)) ?? 'untrusted';
  const byId = new Map(context.conversation.slice(1).map((entry) => [String(entry.metadata.id), entry]));
  const toUncut = (entry: ConversationEntry) => byId.get(String(entry.metadata.id)) ?? entry;
  return formatFirstMessage(context, {
    noun: toNoun(key.type),
    url: thread.url,
    maxContextTokens: maxTokens,
    prepareText: (text, entry) =>
      guard.wrap(text, { author: entry.metadata.author, authority: authorityOf(entry) }),
    mayInstruct: (entry) => authorityOf(entry) === 'trusted',
    isOwnThread: isOwnThread(thread, account),
  });
}

function toNoun(type: string): ThreadNoun {
  if (type === 'github_pull_request') return 'pull-request';
  return type === 'gitlab_merge_request' ? 'merge-request' : 'issue';
}

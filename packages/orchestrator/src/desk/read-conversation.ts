import { type Account, type Comment, isSameAccount, type PlatformThread } from '@agent/platforms';
import { parseCommentMarker } from '@agent/platforms/comments';
import { cleanUntrustedText } from '@agent/text';
import {
  type ConversationEntry,
  composeFirstMessage,
  type ThreadNoun,
  toConversationContext,
} from '@agent/thread-context';
import { type CommentRequest, readComments } from '../conversation/read-comment-tool.ts';
import { createThreadBook } from '../conversation/thread-book.ts';
import type { TextAuthority, TextGuard } from '../thread/text-guard.ts';
import { readCommentName } from '../thread/thread-shares.ts';
import { isOwnThread } from '../thread/trust.ts';

/** Options of a read of the thread. */
export interface ReadThreadOptions {
  readonly guard: TextGuard;
  /** The agent's own account. */
  readonly account: Account;
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
}

type ReadableThread = Pick<PlatformThread, 'key' | 'reader' | 'comments'>;

/**
 * Reads a thread as it is now, in words for a model: the newest comments that fit, a list of older ones, and how to read those. Rejects if
 * the thread could not be read.
 */
export async function readConversation(
  { key, reader, comments: source }: ReadableThread,
  { guard, account, maxComments, maxTokens, signal }: ReadThreadOptions & { readonly maxComments: number },
): Promise<string> {
  const thread = await reader.readThread({ signal });
  const { comments } = await source.listComments({ since: null, signal });
  const isOwn = ({ author, body }: Pick<Comment, 'author' | 'body'>) =>
    isSameAccount(author, account) && (account.kind === 'bot' || parseCommentMarker(body) !== null);
  const own = new Set(comments.filter(isOwn).map(({ id }) => id));
  const context = toConversationContext(thread, comments, {
    ownAccount: account,
    isOwnComment: ({ id }) => own.has(String(id)),
    maxCommentCount: Number.MAX_SAFE_INTEGER,
    cleanText: (text) => cleanUntrustedText(text).text,
  });
  const accounts = new Map(comments.map(({ id, author }) => [String(id), author]));
  const authorities = new Map<ConversationEntry, TextAuthority>();
  for (const [index, entry] of context.conversation.entries()) {
    const isOurs = entry.role === 'assistant' || (index === 0 && isOwnThread(thread, account));
    const author = index === 0 ? thread.author : (accounts.get(String(entry.metadata.id)) ?? null);
    authorities.set(entry, isOurs ? 'own' : await guard.authorityOf(author, { signal }));
  }
  const authorityOf = (entry: ConversationEntry) => authorities.get(entry) ?? 'untrusted';
  const { text } = composeFirstMessage(context, {
    noun: toNoun(key.type),
    url: thread.url,
    prepareText: (said, entry) =>
      guard.wrap(said, { author: entry.metadata.author, authority: authorityOf(entry) }),
    mayInstruct: (entry) => authorityOf(entry) === 'trusted',
    isOwnThread: isOwnThread(thread, account),
    budget: {
      maxTokens,
      maxShown: maxComments,
      readTool: readCommentName,
      prepareList: (list) => guard.wrap(list, { author: null, authority: 'untrusted' }),
    },
  });
  return text;
}

/** Reads comments that the conversation shows in part or only lists. Rejects if there is no such comment. */
export function readListedComments(
  { reader, comments: source }: ReadableThread,
  request: CommentRequest,
  { guard, account, maxTokens, signal }: ReadThreadOptions,
): Promise<string> {
  const listBooked = createThreadBook({
    journal: { read: async function* () {} },
    listComments: async () => (await source.listComments({ since: null, signal })).comments,
    readThread: () => reader.readThread({ signal }),
    ownAccount: account,
    uuid: '',
  });
  return readComments(request, {
    ...{ listBooked, guard, signal },
    shares: { result: maxTokens },
    appliesCommands: false,
    recordShown: async () => undefined,
  });
}

function toNoun(type: string): ThreadNoun {
  if (type === 'github_pull_request') return 'pull-request';
  return type === 'gitlab_merge_request' ? 'merge-request' : 'issue';
}

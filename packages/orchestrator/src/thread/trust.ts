import type { CommentDetectionOptions, SourceComment } from '@agent/comment-detection';
import {
  type Account,
  type Comment,
  isSameAccount,
  type PermissionReader,
  type Thread,
} from '@agent/platforms';
import { parseCommentMarker } from '@agent/platforms/comments';
import { untilAborted } from '@agent/text/waiting';
import type { RunLogger } from '../host/ports.ts';

/** Meaning of `trust` in the configuration on one platform. */
export interface TrustPolicy {
  readonly everyone: boolean;
  /** People with write permission. */
  readonly collaborators: boolean;
  /** Tells whether the account is one of those that are named. */
  readonly isNamed: (account: Account) => boolean;
}

export interface TrustOptions {
  readonly policy: TrustPolicy;
  /** Null where the platform cannot say what an account may do: then only those who are named may steer. */
  readonly permissions: PermissionReader | null;
  /** The agent's own account; it may not steer the agent. */
  readonly ownAccount: Account;
  readonly now: () => number;
}

export interface TrustQuestion {
  /** True where the answer must be what the platform says now, as before a command is obeyed. Default false. */
  readonly fresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Tells whether this account may steer the agent; rejects when the platform could not be asked. */
export type IsTrusted = (account: Account | null, question?: TrustQuestion) => Promise<boolean>;

/** Milliseconds that an answer about the author of a plain comment is remembered. */
const rememberedMs = 60_000;
/** Milliseconds that a refusal is remembered before a command, too: commands of one untrusted user cost no request each. */
const refusedMs = 10_000;

/**
 * Asks the platform what an account may do, by its number: names can change hands. A person who is named needs the
 * permission, too. A bot repeats what strangers say: only one that is named may steer, whatever it may write (GitHub does
 * not say what an app may do). The agent's own bot account never may.
 *
 * @see requirement X11
 */
export function createTrust({ policy, permissions, ownAccount, now }: TrustOptions): IsTrusted {
  const mayWrite = createPermissionCache(permissions, now);
  return async (account, question = {}) => {
    if (ownAccount.kind === 'bot' && isSameAccount(account, ownAccount)) return false;
    if (policy.everyone) return true;
    if (account === null) return false;
    const isNamed = policy.isNamed(account);
    if (account.kind === 'bot' || permissions === null) return isNamed;
    return (isNamed || policy.collaborators) && (await mayWrite(account, question));
  };
}

/** Remembers for each account whether it has write permission. Requests that are under way are shared; an error is not remembered. */
function createPermissionCache(permissions: PermissionReader | null, now: () => number) {
  const remembered = new Map<string, { readonly trusted: boolean; readonly at: number }>();
  const asking = new Map<string, Promise<boolean>>();
  const ask = async (account: Account): Promise<boolean> => {
    // Without a signal: another caller may wait for the answer. The platform bounds its time.
    const access = (await permissions?.accessOf(account)) ?? 'none';
    const trusted = access === 'write' || access === 'admin';
    remembered.set(account.id, { trusted, at: now() });
    return trusted;
  };
  return async (account: Account, { fresh = false, signal }: TrustQuestion): Promise<boolean> => {
    signal?.throwIfAborted();
    const known = remembered.get(account.id);
    const longestMs = fresh ? (known?.trusted === false ? refusedMs : 0) : rememberedMs;
    if (known !== undefined && now() - known.at < longestMs) return known.trusted;
    let answer = asking.get(account.id);
    if (answer === undefined) {
      answer = ask(account).finally(() => asking.delete(account.id));
      asking.set(account.id, answer);
    }
    return untilAborted(answer, signal);
  };
}

/** The account that wrote a comment; null when it was deleted. */
export function toAccount(author: SourceComment['author']): Account | null {
  return author === null ? null : { id: author.id, login: author.login, kind: author.kind ?? 'person' };
}

/** Tells whether the agent wrote a comment. With a person's token, what that person writes by hand is not its own. */
export function isOwnComment(
  { author, body }: Pick<Comment, 'author' | 'body'>,
  ownAccount: Account,
): boolean {
  if (!isSameAccount(author, ownAccount)) return false;
  return ownAccount.kind === 'bot' || parseCommentMarker(body) !== null;
}

/**
 * Tells whether the agent wrote title and text of a thread. With a person's token a pull or merge request of that person counts
 * as the agent's draft: nothing tells them apart.
 */
export function isOwnThread(
  { author, changeRequest }: Pick<Thread, 'author' | 'changeRequest'>,
  ownAccount: Account,
): boolean {
  return isSameAccount(author, ownAccount) && (ownAccount.kind === 'bot' || changeRequest !== null);
}

export interface AgentIdentity {
  readonly ownAccount: Account;
  /** The agent's name where the configuration says it: then all that it writes is its own. */
  readonly botName: string | null;
  readonly logger: RunLogger;
}

/**
 * An account of its own is the agent's alone. One that belongs to a person speaks for the agent only where our
 * marker stands: what that person writes by hand is heard like anybody else's words.
 */
export function identifyAgent({
  ownAccount,
  botName,
  logger,
}: AgentIdentity): Pick<CommentDetectionOptions, 'botId' | 'botUsername' | 'isOwnComment'> {
  const isOwnComment = createOwnCommentTest({ ownAccount, logger });
  if (botName !== null) return { botUsername: botName, isOwnComment };
  if (ownAccount.kind === 'person') return { isOwnComment };
  return { botId: ownAccount.id, botUsername: ownAccount.login, isOwnComment };
}

export interface OwnCommentTestOptions {
  readonly ownAccount: Account;
  readonly logger: RunLogger;
}

/**
 * Makes the test of what the agent wrote: our marker, by our own account. Anybody can copy the marker, so that
 * whoever else carries it is heard like everybody, and named once in a warning. @see decision X2
 */
export function createOwnCommentTest({
  ownAccount,
  logger,
}: OwnCommentTestOptions): (comment: SourceComment) => boolean {
  const told = new Set<string>();
  return ({ id, author, body }) => {
    if (parseCommentMarker(body) === null) return false;
    if (author?.id === ownAccount.id) return true;
    if (!told.has(id)) logger.warn({ commentId: id }, 'ignoring marker in comment of another account');
    told.add(id);
    return false;
  };
}

import type { Comment } from '@agent/comment-detection';
import { type Account, isSameAccount, type PermissionReader } from '@agent/platforms';

/** What `trust` of the configuration means on one platform. */
export interface TrustPolicy {
  readonly everyone: boolean;
  /** People with write permission. */
  readonly collaborators: boolean;
  /** Whether the account is one of those that are named. */
  readonly isNamed: (account: Account) => boolean;
}

export interface TrustOptions {
  readonly policy: TrustPolicy;
  /** Null where the platform cannot say what an account may do: then only those who are named may steer. */
  readonly permissions: PermissionReader | null;
  /** Who we are: the agent's own account may not steer the agent. */
  readonly ownAccount: Account;
  readonly now: () => number;
}

export interface TrustQuestion {
  /** True where the answer must be what the platform says now, as before a command is obeyed. Default false. */
  readonly fresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whether this account may steer the agent; rejects when the platform could not be asked. */
export type IsTrusted = (account: Account | null, question?: TrustQuestion) => Promise<boolean>;

/** How long an answer about the author of a plain comment is remembered. */
const rememberedMs = 60_000;

/**
 * Asks the platform what an account may do, by its number: names can change hands. A person who is named needs the
 * permission, too. A bot repeats what strangers say: only one that is named may steer, whatever it may write (GitHub does
 * not say what an app may do). The agent's own bot account never may.
 *
 * @see requirement X11
 */
export function createTrust({ policy, permissions, ownAccount, now }: TrustOptions): IsTrusted {
  const remembered = new Map<string, { readonly trusted: boolean; readonly at: number }>();
  const mayWrite = async (account: Account, { fresh = false, signal }: TrustQuestion): Promise<boolean> => {
    const known = remembered.get(account.id);
    if (!fresh && known !== undefined && now() - known.at < rememberedMs) return known.trusted;
    const access = (await permissions?.accessOf(account, { signal })) ?? 'none';
    const trusted = access === 'write' || access === 'admin';
    remembered.set(account.id, { trusted, at: now() });
    return trusted;
  };
  return async (account, question = {}) => {
    if (account !== null && ownAccount.kind === 'bot' && isSameAccount(account, ownAccount)) return false;
    if (policy.everyone) return true;
    if (account === null) return false;
    const isNamed = policy.isNamed(account);
    if (account.kind === 'bot' || permissions === null) return isNamed;
    return (isNamed || policy.collaborators) && (await mayWrite(account, question));
  };
}

/** The account that wrote a comment; null when it was deleted. */
export function toAccount(author: Comment['author']): Account | null {
  return author === null ? null : { id: author.id, login: author.login, kind: author.kind ?? 'person' };
}

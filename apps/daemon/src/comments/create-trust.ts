import type { Comment } from '@agent/comment-detection';
import type { Account, PermissionReader } from '@agent/platforms';

/** Who may steer: people with write permission, everyone, or the people named (X11). */
export type TrustSetting = 'collaborators' | 'everyone' | readonly string[];

export interface TrustOptions {
  readonly setting: TrustSetting;
  /** Null where the platform cannot say what an account may do: then collaborators are nobody. */
  readonly permissions: PermissionReader | null;
  readonly now: () => number;
}

/** Whether this account may steer the agent; rejects when the platform could not be asked. */
export type IsTrusted = (
  account: Account | null,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<boolean>;

const rememberedMs = 5 * 60_000;

/** Asks the platform once in five minutes for each account, by its number: names can change hands. */
export function createTrust({ setting, permissions, now }: TrustOptions): IsTrusted {
  const remembered = new Map<string, { readonly trusted: boolean; readonly at: number }>();
  const names = new Set(Array.isArray(setting) ? setting.map((name) => name.toLowerCase()) : []);
  return async (account, options = {}) => {
    if (setting === 'everyone') return true;
    if (account === null) return false;
    if (setting !== 'collaborators') return names.has(account.login.toLowerCase());
    if (permissions === null) return false;
    const known = remembered.get(account.id);
    if (known !== undefined && now() - known.at < rememberedMs) return known.trusted;
    const access = await permissions.accessOf(account, options);
    const trusted = access === 'write' || access === 'admin';
    remembered.set(account.id, { trusted, at: now() });
    return trusted;
  };
}

/** The account that wrote a comment; null when it was deleted. */
export function toAccount(author: Comment['author']): Account | null {
  return author === null ? null : { id: author.id, login: author.login, kind: author.kind ?? 'person' };
}

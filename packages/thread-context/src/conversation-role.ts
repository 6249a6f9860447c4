import type { NormalizedComment } from './normalize.ts';
import { ThreadContextError } from './thread-context-error.ts';

/** The account that the agent itself writes with. */
export interface OwnAccount {
  /** The platform's number as text; null when only the name is known. */
  readonly id: string | null;
  readonly login: string;
}

/** Rules of who counts as the assistant. */
export type RoleRule = OwnAccountRule | OwnerRule;

/**
 * Our own account is the assistant, everybody else a user (decision A1). With no known account of ours,
 * everybody is a user.
 */
export interface OwnAccountRule {
  readonly roleMapping?: 'own-account' | undefined;
  readonly ownAccount: OwnAccount | null;
  /**
   * For an account that a person and the agent share: which of its comments are the agent's, e.g. by a hidden
   * marker. Asked only about comments of our own account. Default: all of them.
   */
  readonly isOwnComment?: ((comment: NormalizedComment) => boolean) | undefined;
}

/** The strict rule of seed 000 §3.1: the repository's owner is the user, everybody else the assistant. */
export interface OwnerRule {
  readonly roleMapping: 'owner';
  readonly owner: string;
}

/** @throws ThreadContextError `invalid-input`, naming the option that is missing */
export function requireRoleRule(rule: RoleRule): void {
  if (rule?.roleMapping === 'owner') {
    if (typeof rule.owner !== 'string') throw isMissing('owner', 'the login of the owner');
  } else if (rule?.ownAccount !== null && typeof rule?.ownAccount?.login !== 'string') {
    throw isMissing('ownAccount', 'the account that the agent writes with, or null where none is known');
  }
}

function isMissing(name: string, kind: string): ThreadContextError {
  return new ThreadContextError('invalid-input', `The option "${name}" is missing: give ${kind}.`);
}

/** Decides whose voice a comment is. Names compare without case, as platforms do. */
export function toConversationRole(comment: NormalizedComment, rule: RoleRule): 'user' | 'assistant' {
  if (rule.roleMapping === 'owner') {
    return comment.author.toLowerCase() === rule.owner.toLowerCase() ? 'user' : 'assistant';
  }
  if (rule.ownAccount === null || !isAccount(comment, rule.ownAccount)) return 'user';
  return (rule.isOwnComment?.(comment) ?? true) ? 'assistant' : 'user';
}

/** By number where both sides know it; else by name, which REST writes as `name[bot]` and GraphQL as `name`. */
function isAccount(comment: NormalizedComment, account: OwnAccount): boolean {
  if (
    comment.authorId !== null &&
    account.id !== null &&
    isNumber(comment.authorId) &&
    isNumber(account.id)
  ) {
    return comment.authorId === account.id;
  }
  return plainName(comment.author) === plainName(account.login);
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

function plainName(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, '');
}

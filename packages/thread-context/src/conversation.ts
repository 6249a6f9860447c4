import { type Expectation, expected, expectOneOf, isObject } from '@agent/text/options';
import type { NormalizedComment } from './normalize.ts';

/**
 * The conversation of an issue as seed 000 writes it: JSON in snake_case, ready to be stored or sent.
 *
 * @see seed 000 §2.1
 */
export interface ConversationContext {
  readonly issue: ConversationIssue;
  /** The issue itself first, then the comments that were kept, oldest first. */
  readonly conversation: readonly ConversationEntry[];
  readonly context_summary: ConversationSummary;
}

export interface ConversationIssue {
  readonly number: number;
  readonly title: string;
  /** The issue's body, as far as it fits the budget; empty when nothing was written. */
  readonly description: string;
  readonly labels: readonly string[];
  /** As received (ISO 8601); null only in a context made by `toMinimalContext`. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** A post of the conversation. */
export interface ConversationEntry {
  /** `assistant` for what the agent itself wrote, `user` for everybody else. */
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly metadata: ConversationMetadata;
}

export interface ConversationMetadata {
  /** Login of the author; `ghost`, as on GitHub, when the account was deleted. */
  readonly author: string;
  readonly created_at: string | null;
  /** A number, as on GitHub and GitLab. Text only on trackers whose ids are not numbers. */
  readonly id: number | string;
  /** Tells whether the comment reports that a task is done. Always false for the issue itself. */
  readonly is_completion: boolean;
}

/** Counts of the conversation, and whether anything is missing. */
export interface ConversationSummary {
  /** All comments of the issue, those left out included. */
  readonly total_comments: number;
  /** True exactly when comments were left out, or a text was cut to fit the budget. */
  readonly truncated: boolean;
  /** Date of the oldest comment that was kept; null when there is none. */
  readonly oldest_included: string | null;
}

/** The account that the agent itself writes with. */
export interface OwnAccount {
  /** Null when only the name is known. */
  readonly id: number | string | null;
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

/** Conditions of the options that a rule has. */
export const roleExpectations = {
  roleMapping: expectOneOf('own-account', 'owner'),
  ownAccount: {
    isMet: (value) =>
      value === null ||
      (isObject(value) &&
        expected.text.isMet(value.login) &&
        (value.id === null || expected.id.isMet(value.id))),
    text: 'null if it is unknown, or the account that the agent writes with: an object with login and id',
  },
  owner: expected.text,
  isOwnComment: expected.function,
} as const satisfies Record<keyof OwnAccountRule | keyof OwnerRule, Expectation>;

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
  const id = account.id === null ? null : String(account.id);
  if (comment.authorId !== null && id !== null && isNumber(comment.authorId) && isNumber(id))
    return comment.authorId === id;
  return plainName(comment.author) === plainName(account.login);
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

function plainName(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, '');
}

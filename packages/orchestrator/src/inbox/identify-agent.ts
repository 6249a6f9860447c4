import type { CommentDetectionOptions } from '@agent/comment-detection';
import type { Account } from '@agent/platforms';
import type { RunLogger } from '../ports.ts';
import { createOwnCommentTest } from './create-own-comment-test.ts';

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

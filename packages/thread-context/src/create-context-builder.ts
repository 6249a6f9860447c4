import type { ConversationContext } from './conversation.ts';
import { requireRoleRule } from './conversation-role.ts';
import type { CallOptions, IssueReader } from './ports.ts';
import { type ConversationOptions, toConversationContext } from './to-conversation-context.ts';

/** Maker of conversations out of issues. */
export interface ContextBuilder {
  /** Reads the issue and its comments once and makes the conversation of them. */
  readonly buildContext: (issueNumber: number, options?: CallOptions) => Promise<ConversationContext>;
}

/**
 * The seed's `buildContext(issueNumber)`, bound to a reader. Errors of the reader pass through as they are.
 * A caller that has a snapshot already calls `toConversationContext` instead.
 *
 * @throws ThreadContextError `invalid-input`, naming the option that is missing
 * @see seed 000 §3.1
 */
export function createContextBuilder(reader: IssueReader, options: ConversationOptions): ContextBuilder {
  requireRoleRule(options);
  return {
    buildContext: async (issueNumber, call = {}) => {
      const issue = await reader.getIssue(issueNumber, call);
      const comments = await reader.listComments(issueNumber, call);
      return toConversationContext(issue, comments, options);
    },
  };
}

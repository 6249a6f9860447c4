import type { ConversationContext } from './conversation.ts';

/** An entry of a conversation in its earlier form. */
export interface LegacyConversationEntry {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/**
 * The bare array that callers knew before there was a context around it: role and content, nothing else.
 *
 * @see seed 000 §5
 */
export function toLegacyConversation(context: ConversationContext): LegacyConversationEntry[] {
  return context.conversation.map(({ role, content }) => ({ role, content }));
}

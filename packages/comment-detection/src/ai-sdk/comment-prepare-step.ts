import type { ModelMessage } from 'ai';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';
import { createCommentInbox } from '../comment-inbox.ts';

/** What a `prepareStep` is given and answers, as far as comments need it. */
export type CommentPrepareStep = (options: {
  readonly messages: readonly ModelMessage[];
}) => Promise<{ messages: ModelMessage[] } | undefined>;

/**
 * A bare `prepareStep` for `generateText`, `streamText` and agents that `withComments` cannot wrap: before each
 * step it appends what was said. It misses what `withComments` hears: the SDK does not call it after the final
 * answer, so a comment that comes during the last model call is not heard; and it cannot see whether the request
 * succeeds, so a comment that goes with a request that fails counts as delivered.
 */
export function createCommentPrepareStep(manager: CommentDetectionManager): CommentPrepareStep {
  const inbox = createCommentInbox(manager);
  return async ({ messages }) => {
    if (!manager.initialized) await manager.initialize();
    if (hasPendingToolCall(messages)) return undefined;
    const { delivery } = await inbox.takeDelivery({ barrier: false });
    if (delivery === null) return undefined;
    inbox.markDelivered(delivery.receipt);
    return { messages: [...messages, { role: 'user', content: delivery.text }] };
  };
}

/** A message between a tool call and its result would be refused by most endpoints. */
function hasPendingToolCall(messages: readonly ModelMessage[]): boolean {
  const pending = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call' && part.providerExecuted !== true) pending.add(part.toolCallId);
      if (part.type === 'tool-result') pending.delete(part.toolCallId);
    }
  }
  return pending.size > 0;
}

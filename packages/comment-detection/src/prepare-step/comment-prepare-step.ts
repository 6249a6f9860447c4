import type { ModelMessage } from 'ai';
import { type FailureListener, heedPoll } from '../comment-detection-error.ts';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';
import { type CommentInboxOptions, createDeliveries } from '../comment-inbox.ts';

/** Input and answer of a `prepareStep`, as far as comments need it. */
export type CommentPrepareStep = (options: {
  readonly messages: readonly ModelMessage[];
}) => Promise<{ messages: ModelMessage[] } | undefined>;

/** Options of `createCommentPrepareStep`. */
export interface CommentPrepareStepOptions extends Pick<CommentInboxOptions, 'onDelivered'> {
  /** Told of all that keeps comments from being heard; answers `fail` or `go-on`. */
  readonly onError?: FailureListener | undefined;
}

/**
 * A bare `prepareStep` for `generateText`, `streamText` and agents that `withComments` cannot wrap: before each
 * step it appends what was said. It misses what `withComments` hears: the SDK does not call it after the final
 * answer, so a comment that comes during the last model call is not heard; and it cannot see whether the request
 * succeeds, so a comment that goes with a request that fails counts as delivered. It needs no particular `ai`.
 *
 * @example
 * const prepareStep = createCommentPrepareStep(new CommentDetectionManager(source));
 * const { text } = await generateText({ model, messages, prepareStep, stopWhen: isStepCount(20) });
 */
export function createCommentPrepareStep(
  manager: CommentDetectionManager,
  { onDelivered, onError }: CommentPrepareStepOptions = {},
): CommentPrepareStep {
  const inbox = createDeliveries(manager, { onDelivered });
  return async ({ messages }) => {
    if (!manager.initialized) heedPoll(await manager.initialize(), onError);
    if (hasPendingToolCall(messages)) return undefined;
    const taken = await inbox.takeDelivery({ barrier: false });
    heedPoll(taken, onError);
    const { delivery } = taken;
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

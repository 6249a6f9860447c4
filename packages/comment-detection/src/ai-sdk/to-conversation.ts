import type { ModelMessage } from 'ai';

/** A step as far as its messages go. */
interface HeardStep {
  readonly experimental_steeringMessages?: readonly ModelMessage[] | undefined;
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** A result of `generate` or `stream`, or the steps that ended so far. */
export interface HeardResult {
  readonly steps: readonly HeardStep[] | PromiseLike<readonly HeardStep[]>;
  readonly responseMessages?: readonly ModelMessage[] | PromiseLike<readonly ModelMessage[]> | undefined;
}

/**
 * Messages that a call added to its conversation, for the messages of the next one: answers and tool results as in
 * `result.responseMessages`, and between them the comments that the model heard, which the SDK leaves out.
 *
 * @example
 * const messages = [...earlier, ...(await toConversation(result)), { role: 'user', content: 'And now?' }];
 */
export async function toConversation({ steps, responseMessages = [] }: HeardResult): Promise<ModelMessage[]> {
  const ended = await steps;
  const answered = ended.reduce((count, { response }) => count + response.messages.length, 0);
  const all = await responseMessages;
  // Results of tools that were approved in this call stand before its first step and belong to none.
  const beforeSteps = all.slice(0, Math.max(0, all.length - answered));
  const inSteps = ended.flatMap(({ experimental_steeringMessages: heard = [], response }) => [
    ...heard,
    ...response.messages,
  ]);
  return [...beforeSteps, ...inSteps];
}

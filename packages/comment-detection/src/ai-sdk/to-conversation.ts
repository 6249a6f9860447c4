import type { ModelMessage } from 'ai';

/** A step as far as its messages go. */
export interface ConversationStep {
  readonly finishReason?: string | undefined;
  readonly toolCalls?: readonly unknown[] | undefined;
  readonly experimental_steeringMessages?: readonly ModelMessage[] | undefined;
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** A step that begins: its number, and the messages that it asks with. */
export interface BegunStep {
  readonly stepNumber: number;
  readonly messages: readonly ModelMessage[];
}

/** A result of `generate` or `stream`, or the steps that ended so far. */
export interface HeardResult {
  readonly steps: readonly ConversationStep[] | PromiseLike<readonly ConversationStep[]>;
  readonly responseMessages?: readonly ModelMessage[] | PromiseLike<readonly ModelMessage[]> | undefined;
}

/**
 * Messages that a call added to its conversation, for the messages of the next one: answers and tool results as in
 * `result.responseMessages`, and between them the comments that the model heard, which the SDK leaves out. A step that failed is
 * not in it: the comments of its request are heard again.
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
  return [...beforeSteps, ...ended.filter((step) => !isFailedStep(step)).flatMap(toStepMessages)];
}

/** Messages of one step: those that it heard, then its answer. */
export function toStepMessages({
  experimental_steeringMessages: heard = [],
  response,
}: ConversationStep): ModelMessage[] {
  return [...heard, ...response.messages];
}

/** Tells whether a step failed in the middle of its answer: the call ends with it, and a request that failed delivers nothing. */
export function isFailedStep({ finishReason, toolCalls = [] }: ConversationStep): boolean {
  return finishReason === 'error' && toolCalls.length === 0;
}

/** Finds the results of tools that people approved before the call: the SDK runs these before its first step, and tells of them there alone. */
export function findApprovedResults(
  { stepNumber, messages }: BegunStep,
  given: readonly ModelMessage[],
): ModelMessage[] {
  if (stepNumber !== 0) return [];
  const known = new Set(given.flatMap(listResultIds));
  return messages.filter((message) => listResultIds(message).some((id) => !known.has(id)));
}

function listResultIds({ role, content }: ModelMessage): readonly string[] {
  if (role !== 'tool') return [];
  return content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
}

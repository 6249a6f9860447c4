import { RefusedRequest } from './refused-request.ts';
import type { ConversationView, ToolExchange } from './script.ts';

/** One piece of a conversation, in the order of the request. */
export type ConversationItem =
  | { readonly kind: 'text'; readonly role: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly kind: 'result'; readonly id: string; readonly output: string };

/**
 * Puts the items together into what a script sees.
 *
 * @throws RefusedRequest for a call without its result or a result without its call, as the real endpoints do.
 */
export function toConversationView(
  items: readonly ConversationItem[],
  request: Pick<ConversationView, 'api' | 'model' | 'tools'>,
): ConversationView {
  const texts = items.filter((item) => item.kind === 'text');
  return {
    ...request,
    instructions: texts.flatMap(({ role, text }) => (role === 'system' ? [text] : [])).join('\n\n'),
    messages: texts.flatMap(({ role, text }) => (role === 'system' ? [] : [{ role, text }])),
    exchanges: toExchanges(items),
    turns: countTurns(items),
  };
}

function toExchanges(items: readonly ConversationItem[]): ToolExchange[] {
  const outputs = new Map(items.flatMap((item) => (item.kind === 'result' ? [[item.id, item.output]] : [])));
  const calls = items.filter((item) => item.kind === 'call');
  const orphan = [...outputs.keys()].find((id) => !calls.some((call) => call.id === id));
  if (orphan !== undefined) throw new RefusedRequest(400, `No tool call found for tool output ${orphan}.`);
  return calls.map((call) => {
    const output = outputs.get(call.id);
    if (output === undefined) throw new RefusedRequest(400, `No tool output found for tool call ${call.id}.`);
    return { id: call.id, name: call.name, input: parseInput(call.arguments), output };
  });
}

function countTurns(items: readonly ConversationItem[]): number {
  const isAssistant = (item: ConversationItem | undefined) =>
    item?.kind === 'call' || (item?.kind === 'text' && item.role === 'assistant');
  return items.filter((item, index) => isAssistant(item) && !isAssistant(items[index - 1])).length;
}

function parseInput(written: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

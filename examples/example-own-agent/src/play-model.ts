import type { ConversationView, ScriptedReply } from '@agent/simulators/model';

const goods = ['bread', 'cheese', 'olives', 'napkins'];

/**
 * Plays the model: orders the requested items one by one, unless this or an earlier run has ordered them. If an order may have been
 * lost, it first lists the orders at the shop.
 */
export function playModel({ messages, instructions, exchanges }: ConversationView): ScriptedReply {
  const last = exchanges.at(-1);
  if (last?.name === 'order' && last.output.includes('unknown')) {
    return { toolCalls: [{ name: 'list_orders', input: {} }] };
  }
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text.toLowerCase());
  const ordered = [instructions, ...exchanges.map(({ output }) => output)];
  const has = (texts: readonly string[], item: string): boolean => texts.some((text) => text.includes(item));
  const missing = goods.find((item) => has(asked, item) && !has(ordered, item));
  if (missing !== undefined) return { toolCalls: [{ name: 'order', input: { item: missing } }] };
  return { text: `Ordered: ${goods.filter((item) => has(asked, item)).join(', ')}.` };
}

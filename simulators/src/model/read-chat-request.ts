import { z } from 'zod';
import { type ConversationItem, toConversationView } from './conversation-item.ts';
import { RefusedRequest } from './refused-request.ts';
import type { ConversationView } from './script.ts';

const content = z
  .union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))])
  .nullish();
const call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer', 'user']), content }),
  z.object({ role: z.literal('assistant'), content, tool_calls: z.array(call).nullish() }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);

const chatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
  stream: z.literal(false).nullish(),
});

/**
 * Reads the body of `POST /v1/chat/completions`.
 *
 * @throws RefusedRequest
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function readChatRequest(body: unknown): ConversationView {
  const parsed = chatRequest.safeParse(body);
  if (!parsed.success) throw new RefusedRequest(400, `Invalid body: ${z.prettifyError(parsed.error)}`);
  const { messages, model, tools } = parsed.data;
  const names = (tools ?? []).map((tool) => tool.function.name);
  return toConversationView(messages.flatMap(toItems), { api: 'chat', model, tools: names });
}

function toItems(written: z.infer<typeof message>): ConversationItem[] {
  const text = textOf(written.content);
  if (written.role === 'tool') return [{ kind: 'result', id: written.tool_call_id, output: text }];
  if (written.role !== 'assistant') {
    return [{ kind: 'text', role: written.role === 'user' ? 'user' : 'system', text }];
  }
  const calls = (written.tool_calls ?? []).map(
    ({ id, function: { name, arguments: input } }) => ({ kind: 'call', id, name, arguments: input }) as const,
  );
  return text === '' ? calls : [{ kind: 'text', role: 'assistant', text }, ...calls];
}

function textOf(written: z.infer<typeof content>): string {
  if (written === null || written === undefined) return '';
  return typeof written === 'string' ? written : written.map(({ text }) => text ?? '').join('');
}

import { z } from 'zod';
import { type ConversationItem, toConversationView } from './conversation-item.ts';
import { RefusedRequest } from './refused-request.ts';
import type { ConversationView } from './script.ts';

const part = z.object({ type: z.string(), text: z.string().optional() });
const content = z.union([z.string(), z.array(part)]);
const item = z.union([
  z.object({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: content }),
  z.object({ type: z.literal('item_reference'), id: z.string() }),
  z.object({ type: z.literal('reasoning') }),
  z.object({
    type: z.literal('message').optional(),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content,
  }),
]);

const responsesRequest = z.object({
  model: z.string().min(1),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
  tools: z.array(z.object({ type: z.string(), name: z.string().optional() })).nullish(),
  previous_response_id: z.null().optional(),
  stream: z.literal(false).nullish(),
});

/**
 * Reads the body of `POST /v1/responses`. The server remembers nothing, so a body that leans on its memory
 * (`item_reference`, `previous_response_id`) is refused.
 *
 * @throws RefusedRequest
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function readResponsesRequest(body: unknown): ConversationView {
  const parsed = responsesRequest.safeParse(body);
  if (!parsed.success) throw new RefusedRequest(400, `Invalid body: ${z.prettifyError(parsed.error)}`);
  const { input, instructions, model, tools } = parsed.data;
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  return toConversationView(
    [
      ...(instructions ? [{ kind: 'text', role: 'system', text: instructions } as const] : []),
      ...items.flatMap(toItems),
    ],
    { api: 'responses', model, tools: (tools ?? []).flatMap(({ name }) => name ?? []) },
  );
}

function toItems(written: z.infer<typeof item>): ConversationItem[] {
  if ('role' in written) {
    const role = written.role === 'developer' ? 'system' : written.role;
    return [{ kind: 'text', role, text: textOf(written.content) }];
  }
  switch (written.type) {
    case 'function_call':
      return [{ kind: 'call', id: written.call_id, name: written.name, arguments: written.arguments }];
    case 'function_call_output':
      return [{ kind: 'result', id: written.call_id, output: textOf(written.output) }];
    case 'item_reference':
      throw new RefusedRequest(404, `Item with id '${written.id}' not found.`);
    case 'reasoning':
      return [];
  }
}

function textOf(written: z.infer<typeof content>): string {
  return typeof written === 'string' ? written : written.map(({ text }) => text ?? '').join('');
}

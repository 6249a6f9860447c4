import { z } from 'zod';
import type { EngineCall, EngineMessage, EngineRequest, EngineTool } from './engine.ts';

const part = z.union([
  z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() }),
  z.object({ type: z.string() }),
]);
const content = z.union([z.string(), z.array(part)]).nullish();

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content,
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().nullish(),
});
const schema = z.record(z.string(), z.unknown());
const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    description: z.string().nullish(),
    parameters: schema.nullish(),
  }),
});
const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
]);

const chatSchema = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  response_format: z
    .object({ type: z.string(), json_schema: z.object({ schema: schema.nullish() }).nullish() })
    .nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});
type ChatMessage = z.infer<typeof message>;

const responsesSchema = z.object({
  model: z.string().nullish(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(z.object({ role: message.shape.role, content }))]),
  max_output_tokens: z.number().int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  stream: z.boolean().nullish(),
});

/** A request of either endpoint. */
export interface FrontRequest {
  readonly request: EngineRequest;
  readonly isStreamed: boolean;
  readonly includesUsage: boolean;
}

/** Request that the endpoint refuses with status 400; the message names the field. */
export class RequestError extends Error {}

/** Reads a body of `POST /v1/chat/completions`. @throws RequestError */
export function readChatRequest(body: unknown): FrontRequest {
  const parsed = parse(chatSchema, body);
  const tools = parsed.tool_choice === 'none' ? [] : (parsed.tools ?? []).map(toTool);
  return {
    request: {
      messages: toMessages(parsed.messages),
      ...toToolsAndForm(parsed, tools),
      maxTokens: parsed.max_completion_tokens ?? parsed.max_tokens ?? undefined,
      temperature: parsed.temperature ?? undefined,
    },
    isStreamed: parsed.stream ?? false,
    includesUsage: parsed.stream_options?.include_usage ?? false,
  };
}

/** Reads a body of `POST /v1/responses`, as far as a client without tools uses it. @throws RequestError */
export function readResponsesRequest(body: unknown): FrontRequest {
  const { instructions, input, ...parsed } = parse(responsesSchema, body);
  const said = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  const instructed = instructions ? [{ role: 'system' as const, content: instructions }, ...said] : said;
  return {
    request: {
      messages: toMessages(instructed),
      tools: [],
      form: { kind: 'free' },
      maxTokens: parsed.max_output_tokens ?? undefined,
      temperature: parsed.temperature ?? undefined,
    },
    isStreamed: parsed.stream ?? false,
    includesUsage: true,
  };
}

function parse<Schema extends z.ZodType>(wanted: Schema, body: unknown): z.infer<Schema> {
  const parsed = wanted.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RequestError(`Invalid value for '${issue?.path.join('.')}': ${issue?.message}`);
}

function toTool({ function: { name, description, parameters } }: z.infer<typeof tool>): EngineTool {
  return { name, description: description ?? undefined, parameters: parameters ?? undefined };
}

function toToolsAndForm(
  { tool_choice: choice, response_format: format }: z.infer<typeof chatSchema>,
  tools: readonly EngineTool[],
): Pick<EngineRequest, 'tools' | 'form'> {
  const isNamed = typeof choice === 'object' && choice !== null;
  const offered = isNamed ? tools.filter(({ name }) => name === choice.function.name) : tools;
  if ((isNamed || choice === 'required') && offered.length === 0)
    throw new RequestError("Invalid value for 'tool_choice': there is no such tool");
  if (isNamed || choice === 'required') return { tools: offered, form: { kind: 'call' } };
  if (format?.type === 'json_schema')
    return { tools, form: { kind: 'json', schema: format.json_schema?.schema ?? null } };
  if (format?.type === 'json_object') return { tools, form: { kind: 'json', schema: null } };
  return { tools, form: { kind: 'free' } };
}

function toMessages(messages: readonly Partial<ChatMessage>[]): readonly EngineMessage[] {
  const results = new Map(
    messages.flatMap(({ role, tool_call_id: id, content: body }) =>
      role === 'tool' && id ? [[id, toText(body)] as const] : [],
    ),
  );
  return messages.flatMap(({ role, content: body, tool_calls: calls }): readonly EngineMessage[] => {
    const text = toText(body);
    if (role === 'tool') return [];
    if (role === 'system' || role === 'developer') return [{ role: 'system', text }];
    if (role !== 'assistant') return [{ role: 'user', text }];
    const made = (calls ?? []).map(
      ({ id, function: { name, arguments: input } }): EngineCall => ({
        ...{ name, input: parseInput(input), result: results.get(id) ?? null },
      }),
    );
    return [{ role, text, calls: made }];
  });
}

function toText(body: z.infer<typeof content>): string {
  if (typeof body === 'string') return body;
  return (body ?? [])
    .map((one) => {
      if ('text' in one) return one.text;
      throw new RequestError(`Invalid value: '${one.type}'. This model supports only text.`);
    })
    .join('\n');
}

function parseInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

import { isRecord, type JsonRecord } from '@agent/text/json';
import {
  dropNull,
  normalizeCalls,
  normalizeContent,
  normalizeUsage,
  type ToolNames,
  toId,
} from './normalize-parts.ts';

/** Fields of an assistant message that the SDK reads and writes itself. */
const ownFields = new Set(['role', 'content', 'tool_calls', 'function_call', 'refusal', 'vendor_fields']);

/** Names of the reasoning in a message, in the order in which the SDK reads them. */
const reasoningNames = ['reasoning_content', 'reasoning'] as const;

/**
 * A chat completion in the form that the SDK reads. Fields of a message that only its vendor knows are under `vendor_fields`,
 * from where they go back with the next request.
 */
export function normalizeAnswer(body: JsonRecord, tools: ToolNames): JsonRecord {
  const { choices: given } = body;
  if (given === undefined) return body;
  const choices = (Array.isArray(given) ? given : [given]).filter(isRecord);
  return {
    ...normalizeHead(body),
    choices: mergeCalls(choices.map((choice) => normalizeChoice(choice, tools))),
  };
}

/** The fields beside the choices, of an answer or of a chunk of one. */
export function normalizeHead(body: JsonRecord): JsonRecord {
  const { id, model, created, usage } = body;
  const time = Number(created ?? Number.NaN);
  return {
    ...body,
    id: toId(id) || null,
    model: typeof model === 'string' ? model : null,
    created: Number.isFinite(time) ? time : null,
    usage: normalizeUsage(usage),
  };
}

function normalizeChoice(choice: JsonRecord, tools: ToolNames): JsonRecord {
  const { message, delta, text, finish_reason: reason } = choice;
  const said = [message, delta].find(isRecord) ?? { content: text };
  return { ...choice, message: normalizeMessage(said, tools), finish_reason: toFinishReason(reason) };
}

export function toFinishReason(reason: unknown): string | null {
  return reason === undefined || reason === null ? null : String(reason);
}

function normalizeMessage(message: JsonRecord, tools: ToolNames): JsonRecord {
  const calls = normalizeCalls(message, tools);
  const content = normalizeContent(message.content);
  const reasoning = pickReasoning(message);
  const isParts = Array.isArray(content) && content.some(({ type }) => type === 'thinking');
  // Only the vendor that writes such parts reads them.
  const isReplayed =
    Array.isArray(message.content) && message.content.some((part) => isRecord(part) && part.thinking);
  const names = [...Object.keys(reasoning), ...(isReplayed ? ['content'] : [])];
  const others = Object.entries(message).filter(
    ([name]) => !ownFields.has(name) && !Object.hasOwn(reasoning, name),
  );
  const fields = dropNull(Object.fromEntries(others));
  const isVendors = isParts || names.length > 0 || Object.keys(fields).length > 0;
  return {
    role: 'assistant',
    content,
    refusal: message.refusal,
    ...reasoning,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(isVendors ? { vendor_fields: { reasoning: names, fields } } : {}),
  };
}

/** Picks the reasoning that is text; anything else under these names is the vendor's. */
export function pickReasoning(message: JsonRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(
    reasoningNames.flatMap((name) => (typeof message[name] === 'string' ? [[name, message[name]]] : [])),
  );
}

/** Some gateways send text and calls as two choices, although one is asked for. */
function mergeCalls(choices: readonly JsonRecord[]): readonly JsonRecord[] {
  const [first, ...others] = choices;
  if (first === undefined || callsOf(first) !== undefined) return choices;
  const other = others.find((choice) => callsOf(choice) !== undefined);
  if (other === undefined || !isRecord(first.message)) return choices;
  return [{ ...other, message: { ...first.message, tool_calls: callsOf(other) } }];
}

function callsOf({ message }: JsonRecord): unknown {
  return isRecord(message) ? message.tool_calls : undefined;
}

import { isRecord, type JsonRecord, parseJson } from './read-json-body.ts';

/** Names of the tools that a request offers. */
export type ToolNames = ReadonlySet<string>;

/** Content as text or as a list of the parts that the SDK reads: text, and what the model thought. */
export function normalizeContent(content: unknown): unknown {
  if (content === undefined || content === null || typeof content === 'string') return content ?? null;
  if (Array.isArray(content)) return content.flatMap(toPart);
  if (isRecord(content)) return toPart(content);
  return String(content);
}

function toPart(part: unknown): readonly JsonRecord[] {
  if (typeof part === 'string') return [{ type: 'text', text: part }];
  if (!isRecord(part)) return [];
  const { text, thinking } = part;
  if (typeof thinking === 'string')
    return [{ type: 'thinking', thinking: [{ type: 'text', text: thinking }] }];
  if (Array.isArray(thinking)) return [{ type: 'thinking', thinking: thinking.flatMap(toPart) }];
  return typeof text === 'string' ? [{ type: 'text', text }] : [];
}

/** Tool calls in the form that the SDK reads; what only the vendor knows of a call is under `vendor_fields`. */
export function normalizeCalls(message: JsonRecord, tools: ToolNames): readonly JsonRecord[] {
  const { tool_calls: given, function_call: legacy } = message;
  const calls = Array.isArray(given) ? given : isRecord(given) ? [given] : [];
  const made = calls.length === 0 && isRecord(legacy) ? [{ function: legacy }] : calls;
  return made.filter(isRecord).map((call) => normalizeCall(call, tools));
}

function normalizeCall(call: JsonRecord, tools: ToolNames): JsonRecord {
  const { id, type: _type, index: _index, ...rest } = call;
  const { name, arguments: args, ...inner } = isRecord(call.function) ? call.function : call;
  const isFlat = !isRecord(call.function);
  const { function: _function, name: _name, arguments: _args, ...beside } = rest;
  const fields = dropNull({
    ...beside,
    ...(isFlat || Object.keys(inner).length === 0 ? {} : { function: inner }),
  });
  return {
    id: toId(id),
    type: 'function',
    function: { name: toToolName(name, tools), arguments: repairArguments(args) },
    ...(Object.keys(fields).length === 0 ? {} : { vendor_fields: fields }),
  };
}

/**
 * Arguments of a tool call as JSON text. Missing ones mean an empty object. JSON that ends too early gets its closing brackets,
 * unless its end is inside or behind a value that could be cut: the call then stays invalid, and the model is asked again.
 */
function repairArguments(value: unknown): string {
  if (value === undefined || value === null) return '{}';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (value.trim() === '') return '{}';
  const parsed = parseJson(value);
  if (parsed === null) return '{}';
  if (parsed === undefined) return closeBrackets(value) ?? value;
  // Some models encode the object twice.
  return typeof parsed === 'string' && isRecord(parseJson(parsed)) ? parsed : value;
}

/** Adds the brackets that are missing at the end; null if the text could lack more than brackets. */
function closeBrackets(text: string): string | null {
  const open: string[] = [];
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') open.unshift('}');
    else if (character === '[') open.unshift(']');
    else if ((character === '}' || character === ']') && open.shift() !== character) return null;
  }
  // A number at the end could have had more digits.
  if (inString || open.length === 0 || /\d[.eE+-]*\s*$/.test(text)) return null;
  const closed = text + open.join('');
  return parseJson(closed) === undefined ? null : closed;
}

export function toId(id: unknown): string {
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : '';
}

/** Template marks that a server leaves behind a name, and prefixes before it, are removed. Any name can be sent back. */
export function toToolName(name: unknown, tools: ToolNames): string {
  const given = typeof name === 'string' ? name.trim() : '';
  if (tools.has(given)) return given;
  const plain = (given.split('<|')[0] ?? '').trim();
  const known = [plain, plain.replace(/^functions?[.:]/, '').replace(/:\d+$/, '')].find((one) =>
    tools.has(one),
  );
  return known ?? (plain.replaceAll(/[^\w.-]+/g, '_').slice(0, 64) || 'unnamed');
}

export function dropNull(fields: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

const counts = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;
const details = {
  prompt_tokens_details: ['cached_tokens'],
  completion_tokens_details: ['reasoning_tokens', 'accepted_prediction_tokens', 'rejected_prediction_tokens'],
} as const;

/** Counts of tokens as whole numbers; what is not a number is left out. */
export function normalizeUsage(usage: unknown): JsonRecord | null {
  if (!isRecord(usage)) return null;
  const { input_tokens: input, output_tokens: output } = usage;
  const named = {
    ...usage,
    prompt_tokens: usage.prompt_tokens ?? input,
    completion_tokens: usage.completion_tokens ?? output,
  };
  const parts = Object.entries(details).map(([name, keys]) => {
    const detail = usage[name];
    return [name, isRecord(detail) ? { ...detail, ...toCounts(detail, keys) } : undefined];
  });
  return { ...named, ...Object.fromEntries(parts), ...toCounts(named, counts) };
}

function toCounts(from: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(
    keys.map((key) => {
      const number = Number(from[key] ?? Number.NaN);
      return [key, Number.isFinite(number) ? Math.max(0, Math.round(number)) : undefined];
    }),
  );
}

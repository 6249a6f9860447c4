import { isRecord, type JsonRecord, parseJson } from '@agent/text/json';
import { repairArguments } from './repair-arguments.ts';

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
  const { type, text, thinking, thought } = part;
  if (Array.isArray(thinking)) return [{ type: 'thinking', thinking: thinking.flatMap(toPart) }];
  const isThought = thought === true || (typeof type === 'string' && /think|thought|reason/i.test(type));
  const said = [thinking, text, isThought ? part[String(type)] : null].find((one) => typeof one === 'string');
  if (said === undefined) return [];
  return isThought || said === thinking
    ? [{ type: 'thinking', thinking: [{ type: 'text', text: said }] }]
    : [{ type: 'text', text: said }];
}

/** Tool calls in the form that the SDK reads; what only the vendor knows of a call is under `vendor_fields`. */
export function normalizeCalls(message: JsonRecord, tools: ToolNames): readonly JsonRecord[] {
  const { tool_calls: given, function_call: legacy, content } = message;
  const calls = toList(typeof given === 'string' ? parseJson(given) : given);
  const others = isRecord(legacy) ? [{ function: legacy }] : toList(content).filter(isCallPart);
  return (calls.length === 0 ? others : calls).map((call) => normalizeCall(call, tools));
}

function toList(value: unknown): readonly JsonRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

/** Gateways to Anthropic's models may leave calls among the content. */
function isCallPart({ type, name }: JsonRecord): boolean {
  return (
    typeof name === 'string' && (type === 'tool_use' || type === 'tool_call' || type === 'function_call')
  );
}

const argumentNames = ['arguments', 'input', 'parameters', 'args'] as const;

function normalizeCall(call: JsonRecord, tools: ToolNames): JsonRecord {
  const isFlat = !isRecord(call.function);
  const named = isRecord(call.function) ? call.function : call;
  const argumentsName = argumentNames.find((one) => one in named) ?? 'arguments';
  const { name, [argumentsName]: args, ...inner } = named;
  const { id, type: _type, index: _index, function: _function, ...rest } = call;
  const { name: _name, [isFlat ? argumentsName : 'arguments']: _args, ...beside } = rest;
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

export function toId(id: unknown): string {
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : '';
}

/** Template marks that a server leaves behind a name, and namespaces before it, are removed. Any name can be sent back. */
export function toToolName(name: unknown, tools: ToolNames): string {
  const given = typeof name === 'string' ? name.trim() : '';
  if (tools.has(given)) return given;
  const plain = (given.split('<|')[0] ?? '').trim();
  const bare = plain.replace(/:\d+$/, '').replace(/^(?:[A-Za-z]\w{0,30}[.:]){1,3}/, '');
  if (tools.has(plain)) return plain;
  const known = tools.has(bare) ? bare : [...tools].find((tool) => toLetters(tool) === toLetters(bare));
  return known ?? (plain.replaceAll(/[^\w.-]+/g, '_').slice(0, 64) || 'unnamed');
}

/** A name without what models spell in their own way: `readFile` is `read_file`. */
function toLetters(name: string): string {
  return name.replaceAll(/[\s_-]/g, '').toLowerCase();
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

import { parseJson, readJsonAnswer, toRecord } from '@agent/text/json';
import { z } from 'zod';
import type { ToolNames } from './tool-names.ts';

/** Part of a text, end exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds what begins with a brace outside of others, up to its own end or that of the text. Linear in the length of the text. */
export function findJsonSpans(text: string): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  let start = 0;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isString = false;
    } else if (sign === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (depth === 0) continue;
    else if (sign === '"') isString = true;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) spans.push({ start, end: at + 1 });
    }
  }
  return depth > 0 ? [...spans, { start, end: text.length }] : spans;
}

const nameKeys = [
  'name',
  'tool',
  'tool_name',
  'toolName',
  'function',
  'function_name',
  'action',
  'recipient_name',
  'api',
  'command',
  'method',
];
const argumentKeys = [
  ...[
    'arguments',
    'args',
    'parameters',
    'params',
    'input',
    'kwargs',
    'action_input',
    'tool_input',
    'tool_args',
  ],
  ...['tool_parameters', 'function_arguments', 'function_args', 'arguments_json', 'parameter'],
];
const frameKeys = [
  'tool_calls',
  'toolCalls',
  'function_calls',
  'calls',
  'tool_uses',
  'tool_call',
  'tool_use',
  'function_call',
  'function',
  'command',
  'params',
  'response',
];
const otherKeys = [
  'type',
  'id',
  'index',
  'call_id',
  'tool_call_id',
  'thought',
  'thoughts',
  'reasoning',
  'explanation',
  'role',
  'content',
  'jsonrpc',
];
const callKeys: ReadonlySet<string> = new Set([...nameKeys, ...argumentKeys, ...frameKeys, ...otherKeys]);

/** Tells whether a call or its frame can have this key. */
export function isCallKey(key: string): boolean {
  return callKeys.has(key);
}

/** Longer spans are no calls that a model writes by mistake. */
const maxSpanChars = 200_000;
const maxDepth = 4;

/** Reads a span, repaired where necessary; undefined if it is no JSON object. */
export function readSpan(text: string, { start, end }: TextSpan): unknown {
  if (end - start > maxSpanChars) return undefined;
  const written = text.slice(start, end);
  const whole = parseJson(written);
  if (whole !== undefined) return whole;
  const reading = readJsonAnswer(written, z.looseObject({}));
  return reading.status === 'read' ? reading.answer : undefined;
}

/** Tells whether a JSON value is a call of a known tool, or a frame that holds calls and nothing else. */
export function isCallValue(value: unknown, tools: ToolNames, depth = 0): boolean {
  if (depth > maxDepth) return false;
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => isCallValue(item, tools, depth + 1));
  const record = toRecord(value);
  if (record === null) return false;
  const keys = Object.keys(record);
  if (keys.every((key) => callKeys.has(key))) {
    const held = frameKeys.map((key) => record[key]).filter((one) => typeof one === 'object' && one !== null);
    if (held.some((one) => isCallValue(one, tools, depth + 1))) return true;
    const isNamed = nameKeys.some((key) => tools.has(record[key]));
    if (isNamed && argumentKeys.some((key) => key in record && !isSchema(record[key]))) return true;
  }
  return !tools.isAny && isFlatCall(record, tools);
}

/** A call whose arguments stand beside its name, or below it. */
function isFlatCall(record: Readonly<Record<string, unknown>>, tools: ToolNames): boolean {
  const entries = Object.entries(record);
  if (entries.length > maxFlatKeys || 'description' in record) return false;
  const [[first, inner] = ['', null]] = entries;
  if (entries.length === 1 && tools.has(first)) return toRecord(inner) !== null;
  const isNamed = ['tool', 'tool_name', 'function', 'action'].some((key) => tools.has(record[key]));
  // A call without arguments has nothing but a name.
  if (entries.length === 1) return isNamed || tools.has(record.name);
  return isNamed && entries.every(([, one]) => typeof one !== 'object' || one === null);
}

const maxFlatKeys = 6;

/** The definition of a tool holds a schema instead of arguments. */
function isSchema(value: unknown): boolean {
  const record = toRecord(value);
  return record !== null && record.type === 'object' && 'properties' in record;
}

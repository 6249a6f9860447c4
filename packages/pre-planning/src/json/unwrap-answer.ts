import { toRecord } from './lenient.ts';
import { parseJson } from './parse-json.ts';

/** Where frames that models write hold what is meant: those of calls (`answer` is our tool's name), and their own. */
const innerKeys = [
  'arguments',
  'parameters',
  'input',
  'function',
  'tool_calls',
  'answer',
  'response',
  'result',
  'output',
];
const maxFrames = 4;

/** What may be the answer: the object itself, then what its frames hold, from outside in. */
export function unwrapAnswer(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  for (let inner = value; found.length < maxFrames; ) {
    const record = toRecord(typeof inner === 'string' ? parseJson(inner) : inner);
    if (record === null) break;
    found.push(record);
    const held = innerKeys.map((key) => record[key]).find((one) => one !== undefined && one !== null);
    inner = Array.isArray(held) ? held[0] : held;
  }
  return found;
}

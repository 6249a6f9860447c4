import { isRecord, type JsonRecord } from '@agent/text/json';
import { normalizeAnswer } from './normalize-answer.ts';
import type { ToolNames } from './normalize-parts.ts';

/** Name of the field in the last chunk of a stream that holds the whole answer. */
export const wholeAnswer = 'whole_answer';

/** Fields whose texts come in pieces. Any other text replaces the one before it. */
const growing = new Set([
  ...['content', 'reasoning_content', 'reasoning', 'refusal', 'arguments'],
  ...['text', 'thinking', 'summary', 'data'],
]);

/** Puts the message of a stream together, so that no field of its vendor is lost. */
export class StreamedMessage {
  #message: JsonRecord = {};

  /** Adds a piece. The calls in it have their places. */
  add(delta: JsonRecord): void {
    this.#message = mergeRecords(this.#message, delta);
  }

  /** The answer as if it had come whole, in the form that the SDK reads. */
  toAnswer(tools: ToolNames): JsonRecord {
    return normalizeAnswer({ choices: [{ message: this.#message }] }, tools);
  }
}

function mergeRecords(one: JsonRecord, other: JsonRecord): JsonRecord {
  const merged = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) merged.set(name, merge(merged.get(name), value, name));
  return Object.fromEntries(merged);
}

function merge(before: unknown, value: unknown, name: string): unknown {
  if (value === null || value === undefined) return before ?? value;
  if (typeof before === 'string' && typeof value === 'string')
    return growing.has(name) ? before + value : value || before;
  if (Array.isArray(before) && Array.isArray(value)) return mergeLists(before, value);
  return isRecord(before) && isRecord(value) ? mergeRecords(before, value) : value;
}

/** Items with the same `index` are pieces of one. */
function mergeLists(before: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const merged = [...before];
  for (const item of added) {
    const index = isRecord(item) ? item.index : undefined;
    const place = index === undefined ? -1 : merged.findIndex((one) => isRecord(one) && one.index === index);
    if (place === -1) merged.push(item);
    else merged[place] = mergeRecords(merged[place] as JsonRecord, item as JsonRecord);
  }
  return merged;
}

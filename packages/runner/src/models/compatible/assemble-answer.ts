import { isRecord, type JsonRecord } from '@agent/text/json';
import { createCallIndex } from './normalize-stream.ts';
import { readJsonBody } from './read-json-body.ts';
import { listEvents } from './stream-events.ts';

/** Texts of a delta that are whole in each chunk. */
const wholeTexts: ReadonlySet<string> = new Set(['role', 'id', 'type', 'name', 'format']);

/** Joins the events of a streamed chat completion to a whole one; null if the text has none, or breaks off. */
export function assembleAnswer(text: string): JsonRecord | null {
  const events = listEvents(text).map(({ data }) => data);
  const chunks = events.map(readJsonBody).filter(isRecord);
  const choices = new Map<unknown, JsonRecord>();
  const toIndex = createCallIndex();
  for (const chunk of chunks)
    for (const choice of listRecords(chunk.choices)) {
      const known = choices.get(choice.index) ?? {};
      choices.set(choice.index, mergeChoice(known, { choice, toIndex }));
    }
  const all = [...choices.values()];
  const isWhole = events.some((data) => data.trim() === '[DONE]') || all.some((one) => one.finish_reason);
  return all.length > 0 && isWhole ? { ...mergeFields(chunks), choices: all } : null;
}

interface NextChoice {
  readonly choice: JsonRecord;
  readonly toIndex: (call: JsonRecord) => number;
}

function mergeChoice(known: JsonRecord, { choice, toIndex }: NextChoice): JsonRecord {
  const { delta, message, ...others } = choice;
  const said = [delta, message].find(isRecord) ?? {};
  const before = isRecord(known.message) ? known.message : {};
  const texts = Object.entries(said).map(([name, value]) => [name, join(before[name], { name, value })]);
  const calls = new Map(listRecords(before.tool_calls).map((call) => [call.index, call]));
  for (const call of listRecords(said.tool_calls)) {
    const index = toIndex(call);
    calls.set(index, { ...mergeCall(calls.get(index) ?? {}, call), index });
  }
  return {
    ...mergeFields([known, others]),
    message: {
      ...before,
      ...Object.fromEntries(texts),
      ...(calls.size === 0 ? {} : { tool_calls: [...calls.values()] }),
    },
  };
}

function mergeCall(known: JsonRecord, call: JsonRecord): JsonRecord {
  const before = isRecord(known.function) ? known.function : {};
  const inner = isRecord(call.function) ? call.function : {};
  const parts = Object.entries(inner).map(([name, value]) => [name, join(before[name], { name, value })]);
  return {
    ...mergeFields([known, call]),
    ...(Object.keys(inner).length === 0 ? {} : { function: { ...before, ...Object.fromEntries(parts) } }),
  };
}

/** Pieces of a text or of a list follow each other; of anything else the last one is valid. */
function join(before: unknown, { name, value }: { readonly name: string; readonly value: unknown }): unknown {
  if (value === null || value === undefined) return before ?? value;
  if (typeof before === 'string' && typeof value === 'string' && !wholeTexts.has(name)) return before + value;
  if (typeof before === 'string' && value === '') return before;
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

/** Fields of chunks, each with its last value. */
function mergeFields(parts: readonly JsonRecord[]): JsonRecord {
  const fields = parts.flatMap((part) => Object.entries(part).filter(([, value]) => value !== null));
  return Object.fromEntries(fields);
}

function listRecords(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

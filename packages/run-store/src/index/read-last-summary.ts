import { readLastLines } from '../disk/read-last-lines.ts';
import { isFailedSummary } from '../is-failed-summary.ts';
import type { Json, JsonObject } from '../run-model.ts';

/** A crash tears one line; a few more may be somebody else's doing. */
const readableWithin = 8;

/** The last line of `summaries.jsonl` that can be read: what a crash tore does not hide what came before it. */
export async function readLastSummary(
  path: string,
): Promise<{ readonly summary: JsonObject | null; readonly isUsable: boolean }> {
  for (const line of (await readLastLines(path, readableWithin)).toReversed()) {
    const value = parseJson(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const summary = value as JsonObject;
    return { summary, isUsable: isUsable(summary) };
  }
  return { summary: null, isUsable: false };
}

function isUsable({ summary: text }: JsonObject): boolean {
  return typeof text === 'string' && text.trim() !== '' && !isFailedSummary(text);
}

function parseJson(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}

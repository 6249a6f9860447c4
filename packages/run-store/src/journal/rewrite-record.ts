import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '@agent/text/json';
import type { Json, JsonObject } from '../journal-model.ts';
import { sealLine, unsealLine } from '../lines/record-line.ts';
import { findFactName, type RecordLine } from '../record/read-record.ts';

/** Changes a value that a run stores: a line of its record, or the value of its state that has this name. It must keep what readers need. */
export type ChangeValue = (value: Json, state: string | null) => Json;

/** Line of a record that is rewritten. */
export interface RewrittenLine extends RecordLine {
  /** True for a line whose text differs, also if only the check of a line before it does. */
  readonly isOther: boolean;
}

/** Rewrites the lines of a record. Each is sealed again, under the number of the owner that wrote it. */
export async function* rewriteChain(
  chain: AsyncIterable<readonly RecordLine[]>,
  change: ChangeValue,
): AsyncGenerator<readonly RewrittenLine[]> {
  let previous = '';
  for await (const lines of chain) {
    const rewritten: RewrittenLine[] = [];
    for (const { line, bytes, check } of lines) {
      const sealed = sealLine(rewriteText(unsealLine(bytes), { change }), { previous, owner: null });
      previous = sealed.check;
      const text = sealed.bytes.subarray(0, -1);
      rewritten.push({
        line,
        bytes: text,
        check: previous,
        name: findFactName(text),
        isOther: check !== previous,
      });
    }
    yield rewritten;
  }
}

/** Rewrites the text of a line, which may be damaged; the same text if nothing changes. */
export function rewriteText(
  text: string,
  { change, state = null }: { readonly change: ChangeValue; readonly state?: string | null },
): string {
  const value = parseJson(text) as Json | undefined;
  if (value === undefined) return String(change(text, state));
  const changed = change(value, state);
  return isDeepStrictEqual(changed, value) ? text : JSON.stringify(changed);
}

/** Tells whether a change alters a record, or one of the values. */
export async function isChanged(
  chain: AsyncIterable<readonly RecordLine[]>,
  { values, change }: { readonly values: JsonObject; readonly change: ChangeValue },
): Promise<boolean> {
  if (!isDeepStrictEqual(changeValues(values, change), values)) return true;
  for await (const lines of rewriteChain(chain, change))
    if (lines.some(({ isOther }) => isOther)) return true;
  return false;
}

/** Changes each value, by name. */
export function changeValues(values: JsonObject, change: ChangeValue): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

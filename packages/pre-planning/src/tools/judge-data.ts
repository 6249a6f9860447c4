import { toRecord } from '../json/lenient.ts';

/** Keys beside an empty list that say how and for what was looked. */
const aboutTheSearch =
  /^(?:total|count|size|limit|offset|page|per_?page|took|elapsed|duration|next|cursor|has_?more|query|q|search|pattern|path|success|ok|status|message|incomplete|truncated)(?:_?[a-z]\w*)?$/i;

/** Longer outputs are contents, whatever they say of themselves. */
const maxChars = 20_000;

/** An output as data; undefined where it is no short JSON. */
export function parseData(output: string): object | undefined {
  if (output.length > maxChars || !/^\s*[[{]/.test(output)) return undefined;
  try {
    return JSON.parse(output) as object;
  } catch {
    return undefined;
  }
}

/** Whether nothing is in it: no value at all, or lists that are all empty beside what only tells of the search. */
export function isEmptyData(data: object): boolean {
  let lists = 0;
  let values = 0;
  const open: (readonly [string, unknown])[] = [['', data]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [key, value] = next;
    if (Array.isArray(value)) {
      if (value.length > 0) return false;
      lists += 1;
    } else if (typeof value === 'object' && value !== null) open.push(...Object.entries(value));
    else if (value && !aboutTheSearch.test(key)) return false;
    else if (value !== null && value !== '') values += 1;
  }
  return lists > 0 || values === 0;
}

/** What data that say of themselves that they are a failure tell of it; null for all others. */
export function findFailure(data: unknown): object | null {
  const record = toRecord(data);
  if (record === null) return null;
  const isOnlyError = Object.keys(record).every((key) =>
    /^(?:error|message|code|status|details?)$/i.test(key),
  );
  const isFailure = record.success === false || record.ok === false || (isOnlyError && Boolean(record.error));
  return isFailure ? { ...record, ...toRecord(record.error) } : null;
}

import { toRecord } from '../json/lenient.ts';

/** Keys beside an empty list that say how and for what was looked. */
const aboutTheSearch =
  /^(?:total|count|size|limit|offset|page|per_?page|took|elapsed|duration|next|cursor|has_?more|query|q|search|pattern|path|success|ok|status|message|incomplete|truncated)(?:_?[a-z]\w*)?$/i;

/** Where tools put what they found; anywhere else, something empty is a part of contents: a file may say `"plugins": []`. */
const found =
  /^(?:items?|results?|hits|files?|match(?:es)?|data|issues?|entries|records|rows|lines|documents?|docs|threads|comments|pulls?|pull_?requests|nodes|edges|pages|occurrences|references|symbols|tests|content|contents|output|response|body|payload|list|values?)$/i;
const total = /^(?:total|count|num|number|found)(?:_?[a-z]\w*)?$/i;

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

interface Held {
  readonly key: string;
  readonly value: unknown;
  /** Whether it stands where tools put what they found. */
  readonly isFound: boolean;
}

/** Whether nothing is in it: no value at all, or only empty lists of what was found beside what tells of the search. */
export function isEmptyData(data: object): boolean {
  if (Array.isArray(data)) return data.length === 0;
  let lists = 0;
  let values = 0;
  const open: Held[] = toHeld(data, false);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key, value, isFound } = next;
    const inner = toRecord(value);
    if (Array.isArray(value) || (inner !== null && Object.keys(inner).length === 0)) {
      if (!isFound || (Array.isArray(value) && value.length > 0)) return false;
      lists += 1;
    } else if (inner !== null) open.push(...toHeld(inner, isFound));
    else if (value && (!aboutTheSearch.test(key) || isTotal(key, value))) return false;
    else if (value !== null && value !== '') values += 1;
  }
  return lists > 0 || values === 0;
}

function toHeld(record: object, isFound: boolean): Held[] {
  return Object.entries(record).map(([key, value]) => ({ key, value, isFound: isFound || found.test(key) }));
}

/** There is something, on another page. */
function isTotal(key: string, value: unknown): boolean {
  return total.test(key) && Number(value) > 0;
}

/**
 * What data that say of themselves that they are a failure tell of it; null for all others. An error and a message alone
 * may be texts of a program: what tells of a failure has a code or a status too.
 */
export function findFailure(data: unknown): object | null {
  const record = toRecord(data);
  if (record === null) return null;
  const told = { ...record, ...toRecord(record.error) };
  const isFailure = record.success === false || record.ok === false || record.isError === true;
  return isFailure || (isOnlyError(record) && isCoded(record, told)) ? told : null;
}

function isOnlyError(record: Readonly<Record<string, unknown>>): boolean {
  const isTelling = (key: string) => /^(?:error|message|code|status|details?)$/i.test(key);
  return Boolean(record.error) && Object.keys(record).every(isTelling);
}

function isCoded(record: object, { code, status, type }: Readonly<Record<string, unknown>>): boolean {
  const isText = Object.keys(record).length === 1 && typeof Object.values(record)[0] === 'string';
  const isCode = typeof code === 'number' || (typeof code === 'string' && /^-?\d+$/.test(code));
  return isText || isCode || status !== undefined || type !== undefined;
}

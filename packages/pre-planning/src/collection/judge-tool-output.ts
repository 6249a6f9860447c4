import { parseJson, toRecord } from '@agent/text/json';
import type { ToolAnswer } from '../ports.ts';
import { judgeToolError, renderOutput } from './judge-tool-error.ts';

/** A line that tells of an error, with the places in code that may follow it; nothing else. */
const errorLine =
  /^(?:[A-Za-z]{0,40}Error|(?:[a-z]{1,40} )?failed|failure|fatal|エラー)(?: \d{3})?: ?[^\r\n]{1,200}(?:\r?\n[ \t]+at [^\r\n]*)*$/i;

/** A count of failures, or what is said of an error in code. */
const aboutErrors =
  /^(?:failed|failure): ?\d+$|^[A-Za-z]{0,40}Error: ?(?:(?:is|are|gets) )?(?:raised|thrown|returned|used|caught|emitted|logged|defined|occurs|happens)\b/i;

/**
 * Tells whether a tool's output is what was wanted. Nothing, an error that came as a result, "not found" and what is no text
 * are failures. The output is whole: whoever keeps it cuts it. @see decision E4
 */
export function judgeToolOutput(value: unknown): ToolAnswer {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return fail('the output is not text');
  const output = renderOutput(value);
  if (toRecord(value)?.isError === true) return judgeToolError(new Error(output));
  const trimmed = output.trim();
  if (/^(?:""|null|undefined|none|nil)?$/i.test(trimmed)) return fail('not found: the output is empty');
  if (isBinary(output)) return fail('the output is not text');
  if (isNotFound(trimmed)) return fail(`not found: ${trimmed}`);
  if (errorLine.test(trimmed) && !aboutErrors.test(trimmed)) return judgeToolError(new Error(trimmed));
  return judgeData(parseData(output)) ?? { status: 'success', output };
}

function judgeData(data: object | undefined): ToolAnswer | null {
  if (data === undefined) return null;
  const failure = findFailure(data);
  if (failure !== null) return judgeToolError(failure);
  return isEmptyData(data) ? fail('not found: the output is empty') : null;
}

function fail(reason: string): ToolAnswer {
  return { status: 'failed', reason, isTransient: false };
}

/** Judged by its beginning, as `git` and `grep` do. */
function isBinary(text: string): boolean {
  const beginning = text.slice(0, 8_000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text does not have
  const strange = beginning.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return beginning.includes('\0') || strange > beginning.length / 10;
}

/** Longer outputs are contents, whatever words are in them. */
const maxSentenceChars = 200;

const things =
  'match(?:es|ing)?|results?|hits?|files?|entries|items?|records?|rows?|lines?|documents?|issues?|threads?|occurrences?|pages?|data|output|content';
const kinds =
  'file|path|directory|folder|page|resource|repository|branch|issue|thread|document|object|entry|key|symbol|record|module|package|user';
/** Name of what was sought, in quotes or as one word; a place in a file that a search found is none. */
const named = '(?:"[^"]{1,150}"|\'[^\']{1,150}\'|`[^`]{1,150}`|(?!\\S*:\\d+:)[^\\s"\'`=(){}]{1,150})';
const subject = `(?:(?:the|a|an|requested|specified|given|no) )*(?:(?:${kinds})s?(?:: ?| )?(?:you (?:requested|asked for) )?)?(?:${named} )?`;
const goneWords = "(?:not (?:be )?found|do(?:es)? not exist|does ?n[o']t exist)";
/** Place that was searched. A text that says where it is instead is an answer. */
const where = String.raw`(?:(?: (?:in|at|under|for)|:) (?!.*\b(?:but|instead|moved)\b).+)?`;

/** Sentences of tools that looked and found nothing; each is the whole output, or it is contents. */
const sentences: readonly RegExp[] = [
  `(?:there (?:are|is|were|was) )?(?:no|0|zero) (?:[a-z]+ ){0,3}(?:${things})(?: (?:was|were|is|are))?(?: (?:found|matched|match|available))?(?: (?:for|in|matching|with|of) .+)?`,
  `nothing (?:was )?(?:found|matched|to show)${where}`,
  `(?:error: ?)?${subject}(?:(?:was|is|were|could) )?${goneWords}${where}`,
  "(?:we )?(?:could not|couldn't|did not|didn't) find any.*",
  '(?:could not|cannot|unable to) (?:find|locate|open)(?: \\S+){1,4}',
  `.{1,120} did not match any (?:${things})`,
  '(?:\\S+:? ){0,4}no such (?:file|directory|path|page|object|key|table|column|command|issue|branch|revision)\\b.*',
  '(?:(?:http|error|status)(?: code)?:? ?){0,2}404(?:[ :-]+not found)?(?:[:,-] .+)?',
  // Those of the daemon's own tools, and of what renders MCP answers there.
  `(?:the (?:file|directory|folder) |${named} )is empty|${named} has only \\d+ lines|\\(?no output\\)?`,
  '[^。、]{0,80}(?:見つかりません|存在しません)(?:でした)?',
  '(?:検索)?(?:結果|該当|一致|ヒット)[^。、]{0,30}(?:なし|0 ?件|ゼロ|ありません|ありませんでした)',
  '(?:データ|項目|ファイル|何)[はがも]ありません(?:でした)?|0 ?件|該当なし',
].map((sentence) => new RegExp(`^(?:sorry, )?(?:${sentence})$`));

/** Tells whether an output says, and says nothing else, that there is nothing. @see decision E4 */
function isNotFound(output: string): boolean {
  const sentence = output.trim();
  if (sentence.length > maxSentenceChars || /[\r\n]/.test(sentence)) return false;
  const plain = sentence.replace(/(?<![.!。！])[.!。！]+$/, '').toLowerCase();
  return sentences.some((pattern) => pattern.test(plain));
}

/** Keys beside an empty list that say how and for what was looked. */
const aboutTheSearch =
  /^(?:total|count|size|limit|offset|page|per_?page|took|elapsed|duration|next|cursor|has_?more|query|q|search|pattern|path|success|ok|status|message|incomplete|truncated)(?:_?[a-z]\w*)?$/i;

/** Keys under which tools put what they found; anywhere else, something empty is a part of contents: a file may say `"plugins": []`. */
const foundKey =
  /^(?:items?|results?|hits|files?|match(?:es)?|data|issues?|entries|records|rows|lines|documents?|docs|threads|comments|pulls?|pull_?requests|nodes|edges|pages|occurrences|references|symbols|tests|content|contents|output|response|body|payload|list|values?)$/i;
const totalKey = /^(?:total|count|num|number|found)(?:_?[a-z]\w*)?$/i;

/** Longer outputs are contents, whatever they say of themselves. */
const maxDataChars = 20_000;

/** An output as data; undefined where it is no short JSON. */
function parseData(output: string): object | undefined {
  if (output.length > maxDataChars || !/^\s*[[{]/.test(output)) return undefined;
  return parseJson(output) as object | undefined;
}

interface Held {
  readonly key: string;
  readonly value: unknown;
  /** Tells whether it stands where tools put what they found. */
  readonly isFound: boolean;
}

/** Tells whether nothing is in it: no value at all, or only empty lists of what was found beside what tells of the search. */
function isEmptyData(data: object): boolean {
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
  return Object.entries(record).map(([key, value]) => ({
    key,
    value,
    isFound: isFound || foundKey.test(key),
  }));
}

/** There is something, on another page. */
function isTotal(key: string, value: unknown): boolean {
  return totalKey.test(key) && Number(value) > 0;
}

/**
 * Finds a failure in data that say of themselves that they are one; null for all others. An error and a message alone
 * may be texts of a program: what tells of a failure has a code or a status too.
 */
function findFailure(data: unknown): object | null {
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

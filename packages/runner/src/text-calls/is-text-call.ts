import { toRecord } from '@agent/text/json';
import { findJsonSpans, isCallKey, isCallValue, readSpan } from './json-calls.ts';
import { ToolNames } from './tool-names.ts';

export interface TextCallOptions {
  /** Names of the tools that can be called. Null: the tools are not known, and only forms that nothing else has are recognized. */
  readonly tools: readonly string[] | null;
  /** True if the run has made real calls: an example in a fence is then more likely than a call. Default false. */
  readonly hasCalled?: boolean | undefined;
}

/** Longer answers are not searched. */
const maxChars = 1_000_000;

/**
 * Tells whether an answer without calls was meant as one: the name of a known tool stands beside the syntax of a call (JSON, tags,
 * parentheses, labels) outside of code, or in a fence that the answer announces. What an answer explains or quotes is no call.
 *
 * @example
 * isTextCall('I will look.\n{"name": "read_file", "arguments": {"path": "a.js"}}', { tools: ['read_file'] }); // true
 */
export function isTextCall(text: string, { tools, hasCalled = false }: TextCallOptions): boolean {
  if (text.length > maxChars) return false;
  const names = new ToolNames(tools);
  const parts = splitFences(withoutQuoting(text.trim()));
  const prose = parts.map((part) => (part.isCode ? fenceSign : withoutInlineCode(part.text))).join('');
  if (hasFrame(prose, names) || hasCallSyntax(prose, names)) return true;
  return parts.some((part, index) => {
    if (!part.isCode || !isWhollyCall(part.text, names)) return false;
    const before = parts.slice(0, index).filter(({ isCode }) => !isCode);
    const after = parts.slice(index + 1).filter(({ isCode }) => !isCode);
    return isAnnounced({ info: part.info, before: join(before), after: join(after), hasCalled });
  });
}

const join = (parts: readonly TextPart[]): string =>
  parts
    .map(({ text }) => text)
    .join('\n')
    .trim();

/** An answer that is nothing but inline code is meant as what stands in it. */
function withoutQuoting(text: string): string {
  const [, inner] = /^`([^`\n]{1,10000})`$/.exec(text) ?? [];
  return inner ?? text;
}

interface TextPart {
  readonly text: string;
  readonly isCode: boolean;
  /** Language of a fence; empty outside of one. */
  readonly info: string;
}

/** Stands for a fence where the rest of a text is judged. */
const fenceSign = '\uE000\n';

function splitFences(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let lines: string[] = [];
  let fence: { readonly mark: string; readonly info: string } | null = null;
  const flush = (): void => {
    const info = fence?.info ?? '';
    if (lines.length > 0 || fence !== null)
      parts.push({ text: lines.join('\n'), isCode: fence !== null, info });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = /^\s{0,12}(`{3,}|~{3,})\s{0,3}([\w-]{0,30})[^`]*$/.exec(line) ?? [];
    if (fence === null && mark !== '') {
      flush();
      fence = { mark, info: info.toLowerCase() };
    } else if (fence !== null && mark.startsWith(fence.mark) && info === '') {
      flush();
      fence = null;
    } else lines.push(line);
  }
  flush();
  return parts;
}

function withoutInlineCode(text: string): string {
  return `${text.replace(/(`+)[^`\n]{1,2000}\1/g, 'code')}\n`;
}

const tag = String.raw`<[/|｜]{0,2}[^<>\n]{1,80}>|\[/?[A-Z_]{3,20}\]`;

/** Marks around calls, in the templates of models. */
const frames = new RegExp(
  [
    String.raw`<[|｜]?\s?(?:\w{1,16}:)?(?:tool|function)[_▁-]?(?:calls?|use|invoke)[^<>\n]{0,60}>?`,
    String.raw`<(?:antml:)?invoke\s{1,3}name=[^<>\n]{1,80}>`,
    String.raw`<function=[^<>\n]{1,80}>`,
    String.raw`<[|｜](?:python_tag|action_start|plugin|DSML)[|｜][^<>\n]{0,60}>?`,
    String.raw`<\|channel\|>\s{0,3}commentary to=[^<>\n]{1,80}`,
    String.raw`\bfunctools\[`,
    String.raw`\[TOOL_CALLS?\]`,
    String.raw`\bto=functions\.\w`,
  ].join('|'),
  'giu',
);

/** An answer that begins so may be a call when it is complete. */
const callBeginning = /^(?:[{<]|\[\s*[{\w]|`{3}(?:json|tool\w{0,10})?\s*(?:[{[]|$))/;

/** Cuts off what may become a call from a text that still grows. */
export function withoutGrowingCall(text: string): string {
  if (callBeginning.test(text)) return '';
  const at = text.search(frames);
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

/** Finds a mark that a call follows: JSON, another mark, the name of a tool, or a line of its own. */
function hasFrame(prose: string, names: ToolNames): boolean {
  for (const { 0: mark, index } of prose.matchAll(frames)) {
    if (/[|｜[=]/.test(mark.replace(/^<function=/, ''))) return true;
    const isLine =
      prose
        .slice(Math.max(0, index - 40), index)
        .split('\n')
        .at(-1)
        ?.trim() === '';
    const behind = prose.slice(index + mark.length, index + mark.length + 200);
    if (!mark.includes('=') && /^\s*\{/.test(behind) && isOtherObject(prose.slice(index + mark.length)))
      continue;
    if (/^\s*[{[<\uE000]/.test(behind)) return true;
    const [, word = ''] = /^\s*([\w.-]{1,80})/.exec(behind) ?? [];
    if (word !== '' && !names.isAny && names.has(word)) return true;
    if (isLine && /^(?:[\w.-]{0,80})?[ \t]*(?:\n|$)/.test(behind)) return true;
  }
  return false;
}

/** Some models put marks around an answer in JSON, too. */
function isOtherObject(text: string): boolean {
  const [span] = findJsonSpans(text);
  const record = span === undefined ? null : toRecord(readSpan(text, span));
  return record !== null && Object.keys(record).some((key) => !isCallKey(key));
}

function hasCallSyntax(prose: string, names: ToolNames): boolean {
  return (
    hasJsonCall(prose, names) ||
    (!names.isAny && (hasCallLine(prose, names) || hasTagCall(prose, names) || hasLabelledCall(prose, names)))
  );
}

const lineStart = new RegExp(
  String.raw`(?:^|\n)[ \t\[,;:>*-]*(?:[\w ]{1,24}:[ \t]*)?(?:(?:${tag})[ \t\n]*){0,4}[\[ \t]*$`,
  'u',
);

/** JSON at the beginning of a line or at the end of the text, which is not part of a sentence. */
function hasJsonCall(prose: string, names: ToolNames): boolean {
  const spans = findJsonSpans(prose).slice(0, maxSpans);
  return spans.some((span) => {
    const before = prose.slice(Math.max(0, span.start - 200), span.start);
    const after = prose.slice(span.end, span.end + 400);
    const isEnd = !/[\p{L}\p{N}]/u.test(after.replaceAll(new RegExp(tag, 'gu'), ''));
    if (names.isAny && !(isEnd && lineStart.test(before))) return false;
    return (isEnd || lineStart.test(before)) && isCallValue(readSpan(prose, span), names);
  });
}

const maxSpans = 50;

const callStart =
  /(?:^|\n)[ \t]*(?:\[[ \t]*)?(?:>>> )?(?:(?:await|return|print\(|call:?)[ \t]*){0,2}((?:[\w$]{1,40}\.){0,3}[\w-]{1,80})[ \t]?\(/g;
const typed = /:\s*(?:string|str|number|int|boolean|bool|any|unknown|dict|list|object|Path)\b/;

/** A line that is a call such as `read_file(path="a.js")`: with values in place of names of parameters. */
function hasCallLine(prose: string, names: ToolNames): boolean {
  return [...prose.matchAll(callStart)].some(({ 0: found, 1: name, index }) => {
    if (!names.has(name)) return false;
    const start = index + found.length;
    const end = findClosing(prose, start);
    const values = prose.slice(start, end);
    if (
      typed.test(values) ||
      !(values.trim() === '' || /["'\d{[]|\b(?:true|false|null|none)\b/i.test(values))
    )
      return false;
    return /^[)\]\s;,]*(?:\n|$|[\w.]{1,80}\()/.test(prose.slice(end, end + 200));
  });
}

const maxCallChars = 20_000;

function findClosing(text: string, start: number): number {
  let depth = 1;
  let quote = '';
  const last = Math.min(text.length, start + maxCallChars);
  for (let at = start; at < last; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth === 0) return at;
  }
  return last;
}

/** A tag that is named as a tool and opens a line or has its closing tag. */
function hasTagCall(prose: string, names: ToolNames): boolean {
  return [...prose.matchAll(/<([\w:.-]{1,80})(?:\s[^<>\n]{0,200})?(\/?)>/g)].some(
    ({ 0: mark, 1: name = '', 2: slash, index }) => {
      if (!names.has(name)) return false;
      const behind = prose.slice(index + mark.length, index + mark.length + maxCallChars);
      const isLine =
        prose
          .slice(Math.max(0, index - 40), index)
          .split('\n')
          .at(-1)
          ?.trim() === '';
      if (slash === '/') return isLine && /\s/.test(mark);
      return behind.includes(`</${name}>`) || (isLine && /^\s*(?:[<{]|\n)/.test(behind));
    },
  );
}

/** A name behind a label or a namespace, followed by its arguments: `Action: read_file`, then `Action Input: {…}`. */
const label =
  /(?:^|\n|\bto=|✿)[ \t*]*(?:(?:action|tool|function|tool[ _]?name|tool[ _]?call|call|name|recipient)[ \t*✿]*[:=：][ \t*]*)?[`"']?((?:[\w$]{1,40}\.){0,3}[\w-]{1,80})(?::\d{1,4})?[`"']?[ \t*]*(?=([^{\n]{0,40})\{|\n)/giu;
const argumentLabel =
  /^[^\p{L}\p{N}]{0,8}(?:(?:action[ _]?input|tool[ _]?input|inputs?|arguments?|args|parameters?|params|json|code|path|command)\b[^{\p{L}\n]{0,8})/iu;

function hasLabelledCall(prose: string, names: ToolNames): boolean {
  return [...prose.matchAll(label)].some(({ 0: found, 1: name, index }) => {
    if (!names.has(name)) return false;
    const behind = prose.slice(index + found.length, index + found.length + 400).replace(/^\s+/, '');
    if (/^(?:<[^<>\n]{1,60}>\s*){0,3}\{\s*["'}]/.test(behind)) return true;
    const isLabelled = /[:=：]/.test(found.slice(0, found.lastIndexOf(name ?? '')));
    const rest = behind.replace(argumentLabel, '');
    return rest !== behind && (/^\s*[{\uE000]/.test(rest) || (isLabelled && /^\s*\S/.test(rest)));
  });
}

/** Tells whether code holds calls and nothing else. */
function isWhollyCall(code: string, names: ToolNames): boolean {
  const text = code.trim();
  if (text === '') return false;
  const spans = findJsonSpans(text).slice(0, maxSpans);
  let rest = '';
  let from = 0;
  for (const { start, end } of spans) {
    rest += text.slice(from, start);
    from = end;
  }
  rest += text.slice(from);
  const words = rest
    .replaceAll(new RegExp(tag, 'gu'), '')
    .replace(/^\s*(?:json|tool_code|tool_call)\s*$/gm, '');
  if (spans.length > 0 && !/[\p{L}\p{N}]/u.test(words))
    return spans.every((span) => isCallValue(readSpan(text, span), names));
  const mentionsTool = (text.match(/[\w.-]{1,128}/g) ?? []).some((word) => names.has(word));
  if (mentionsTool && text.startsWith('<') && hasFrame(text, names)) return true;
  if (names.isAny) return false;
  if (text.startsWith('<') && text.endsWith('>')) return hasTagCall(text, names);
  return (
    !/^\s*(?:const|let|var|def|function|import|from|#|\/\/|export|async|class)\b/m.test(text) &&
    isEachLineCall(text, names)
  );
}

function isEachLineCall(text: string, names: ToolNames): boolean {
  if (hasLabelledCall(text, names) && text.split('\n').length <= maxLabelLines) return true;
  const [first = ''] = text.split('\n', 1);
  return hasCallLine(`\n${first}${text.slice(first.length)}`, names) && findCallEnds(text, names);
}

const maxLabelLines = 12;

/** Tells whether each line that is not within the parentheses of a call begins one. */
function findCallEnds(text: string, names: ToolNames): boolean {
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    if (/^[\s)\];,]*$/.test(rest)) return true;
    const [found = '', name] =
      new RegExp(callStart.source.replace('(?:^|\\n)', '^[\\s)\\];,]*')).exec(rest) ?? [];
    if (found === '' || !names.has(name)) return false;
    at = findClosing(text, at + found.length) + 1;
  }
  return true;
}

interface Announcement {
  readonly info: string;
  readonly before: string;
  readonly after: string;
  readonly hasCalled: boolean;
}

const callLanguages: ReadonlySet<string> = new Set([
  'tool_code',
  'tool_call',
  'tool_calls',
  'tool',
  'tool_use',
  'function_call',
]);
const intent =
  /\b(?:i(?:'|’)?ll|i will|i(?:'|’)m going to|i am going to|let me|let(?:'|’)?s|let us|i need to|i should|i must|i have to|to (?:start|begin|do|fix|see|check|find|understand|verify|solve))\b|(?:^|[.!?] +)(?:ok(?:ay)?,? |so,? )?(?:first|next|now|then|calling|using|reading|checking|running|writing)\b|ます[。:：]?$|まず|それでは/im;
const explanation =
  /\b(?:examples?|e\.g|for instance|like this|looks? like|shows?|how to|usage|syntax|format|you (?:can|could|may)|users? (?:can|call)|clients?|callers?|endpoint|server|documented|requests?|protocol|schema|returns?|is called|are called|(?:now|can be) called)\b|例|次のよう|以下のよう|形式/i;

/** Tells whether the words around a fence announce a call. An explanation is no announcement. */
function isAnnounced({ info, before, after, hasCalled }: Announcement): boolean {
  if (callLanguages.has(info)) return true;
  const lead =
    before
      .split('\n')
      .filter((line) => line.trim() !== '')
      .at(-1) ?? '';
  if (after.length > maxAfterChars || explanation.test(lead)) return false;
  if (intent.test(lead) || /^\**(?:action|tool|call)\**:?\**$/i.test(lead.trim())) return true;
  const around = `${before}\n${after}`;
  if (around.length > maxAroundChars || explanation.test(around) || /^\s*(?:#{1,6} |[-*] )/m.test(around))
    return false;
  return !hasCalled || !/\p{L}{2}/u.test(around) || intent.test(around);
}

const maxAfterChars = 120;
const maxAroundChars = 400;

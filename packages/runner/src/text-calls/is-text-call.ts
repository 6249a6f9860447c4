import { toRecord } from '@agent/text/json';
import { findCallEnds, hasCallLine, hasLabeledCall, hasTagCall } from './call-syntax.ts';
import { isAnnounced, splitFences, type TextPart } from './fences.ts';
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
  const parts = splitFences(withoutQuotes(withoutQuoting(text.trim())));
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

/** Leaves out what a text quotes from others, unless there is nothing else. */
function withoutQuotes(text: string): string {
  const own = text
    .split('\n')
    .filter((line) => !/^\s{0,3}>/.test(line))
    .join('\n');
  return /\p{L}{2}/u.test(own) ? own : text;
}

/** Stands for a fence where the rest of a text is judged. */
const fenceSign = '\uE000\n';

/** Writes a word in place of each stretch of a line that stands between equally many backticks. */
function withoutInlineCode(text: string): string {
  const [first = '', ...parts] = text.split(/(`+)/);
  let shown = first;
  for (let at = 0; at < parts.length; at += 2) {
    const [opening = '', inner = '', closing = ''] = parts.slice(at, at + 3);
    const size = isInline(inner) ? Math.min(opening.length, closing.length) : 0;
    shown += opening.slice(size) + (size > 0 ? 'code' : inner);
    if (size > 0) parts[at + 2] = closing.slice(size);
  }
  return `${shown}\n`;
}

const isInline = (text: string): boolean =>
  text !== '' && text.length <= maxInlineChars && !text.includes('\n');

const maxInlineChars = 2_000;

const tag = String.raw`<[/|｜]{0,2}[^<>\n]{1,80}>|\[/?[A-Z_]{3,20}\]`;

/** Marks around calls, in the templates of models. */
const frames = new RegExp(
  [
    String.raw`<[|｜]?\s?(?:\w{1,16}[:_])?(?:tool|function)[_▁-]?(?:calls?|use|invoke)[^<>\n]{0,60}>?`,
    String.raw`<(?:\w{1,16}:)?invoke\s{1,3}name=[^<>\n]{1,80}>`,
    String.raw`<function=[^<>\n]{1,80}>`,
    String.raw`<[|｜](?:python_tag|action_start|plugin|DSML)[|｜][^<>\n]{0,60}>?`,
    String.raw`<\|channel\|>\s{0,3}commentary to=[^<>\n]{1,80}`,
    String.raw`\bfunctools\[`,
    String.raw`\[TOOL_CALLS?\]`,
    String.raw`<(?:\w{1,16}_)?arg_key>`,
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
    if (/[|｜[=]|arg_key/.test(mark.replace(/^<function=/, ''))) return true;
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
    (!names.isAny && (hasCallLine(prose, names) || hasTagCall(prose, names) || hasLabeledCall(prose, names)))
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
    .replace(/^[ \t]*(?:json|tool_code|tool_call)[ \t]*$/gm, '');
  if (spans.length > 0 && !/[\p{L}\p{N}]/u.test(words))
    return spans.every((span) => isCallValue(readSpan(text, span), names));
  const mentionsTool = (text.match(/[\w.-]{1,128}/g) ?? []).some((word) => names.has(word));
  if (mentionsTool && text.startsWith('<') && hasFrame(text, names)) return true;
  if (names.isAny) return false;
  if (text.startsWith('<') && text.endsWith('>')) return hasTagCall(text, names);
  return (
    !/^[ \t]{0,80}(?:const|let|var|def|function|import|from|#|\/\/|export|async|class)\b/m.test(text) &&
    isEachLineCall(text, names)
  );
}

function isEachLineCall(text: string, names: ToolNames): boolean {
  if (hasLabeledCall(text, names) && text.split('\n').length <= maxLabelLines) return true;
  const [first = ''] = text.split('\n', 1);
  return hasCallLine(`\n${first}${text.slice(first.length)}`, names) && findCallEnds(text, names);
}

const maxLabelLines = 12;

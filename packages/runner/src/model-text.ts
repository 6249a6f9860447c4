/** Blocks that models think in: how one opens at the beginning of a line, and how it closes. */
const thoughts = [
  { open: /^\s*<think(?:\s[^<>]{0,200})?>/i, close: /<\/think\s{0,9}>/i },
  { open: /^\s*<thinking(?:\s[^<>]{0,200})?>/i, close: /<\/thinking\s{0,9}>/i },
  { open: /^\s*<thought(?:\s[^<>]{0,200})?>/i, close: /<\/thought\s{0,9}>/i },
  { open: /^\s*<reasoning(?:\s[^<>]{0,200})?>/i, close: /<\/reasoning\s{0,9}>/i },
] as const;
type Thought = (typeof thoughts)[number];

/** With what models write a call into their text that their server should have made a call of; in small letters. */
const callMarks = [
  '<tool_call',
  '<tool_use',
  '<function_call',
  '<function=',
  '<invoke name=',
  '<|tool_call',
  '<|python_tag|>',
  '<|channel|>commentary to=',
  '<｜tool▁call',
  '<｜dsml｜',
  'functools[',
  '[tool_calls]',
  '[tool_call]',
];
const longestMark = 32;

/**
 * The text without what a model only thought: blocks such as `<think>…</think>` that begin a line, one that is never
 * closed, what stands before a closing mark whose opening the server has swallowed, and all channels of an answer but
 * the final one. Marks in fenced code are text.
 */
export function withoutThinking(text: string): string {
  if (!text.includes('<')) return text.trim();
  let rest = dropHeadless(onlyFinalChannel(text.trim()));
  const kept: string[] = [];
  let fence: string | null = null;
  while (rest !== '') {
    const end = rest.indexOf('\n') + 1 || rest.length;
    const line = rest.slice(0, end);
    const thought = fence === null ? thoughts.find(({ open }) => open.test(line)) : undefined;
    if (thought === undefined) {
      fence = afterLine(line, fence);
      kept.push(line);
      rest = rest.slice(end);
      continue;
    }
    const close = thought.close.exec(rest);
    if (close === null) break;
    rest = rest.slice(close.index + close[0].length).trimStart();
  }
  return kept.join('').trim();
}

/** Tells whether an answer without calls was meant as one: it holds a call in words, outside of fenced code, or is nothing else. */
export function isCallInWords(text: string, toolNames: readonly string[]): boolean {
  return isBareCall(text.trim(), toolNames) || hasCallMark(text);
}

function hasCallMark(text: string): boolean {
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const start = line.trimStart();
    if (fence === null && startsWithMark(start)) return true;
    fence = afterLine(line, fence);
  }
  return false;
}

function startsWithMark(line: string): boolean {
  const start = line.slice(0, longestMark).toLowerCase();
  return callMarks.some((mark) => start.startsWith(mark));
}

/** An object with the name of a tool and arguments, as it is or in a fence. */
function isBareCall(text: string, toolNames: readonly string[]): boolean {
  const json = text.startsWith('```') && text.endsWith('```') ? text.slice(text.indexOf('\n') + 1, -3) : text;
  if (!json.trimStart().startsWith('{')) return false;
  try {
    const { name, arguments: args, parameters } = JSON.parse(json) as Record<string, unknown>;
    return typeof name === 'string' && toolNames.includes(name) && (args ?? parameters) !== undefined;
  } catch {
    return false;
  }
}

/** Takes the final channel out of an answer, as some templates leak them; nothing where it has none. */
function onlyFinalChannel(text: string): string {
  if (!text.startsWith('<|channel|>') && !text.startsWith('<|start|>')) return text;
  const mark = '<|channel|>final<|message|>';
  const final = text.lastIndexOf(mark);
  if (final === -1) return '';
  const said = text.slice(final + mark.length);
  const end = said.search(/<\|(?:end|return)\|>/);
  return end === -1 ? said : said.slice(0, end);
}

/** Templates often write the opening mark into the prompt, so that an answer begins in the middle of a thought. */
function dropHeadless(text: string): string {
  for (const { open, close } of thoughts) {
    const found = findOwnEnd(text, close);
    if (found === null) continue;
    const before = text.slice(0, found.at);
    if (!before.split('\n').some((line) => open.test(line))) return text.slice(found.end).trimStart();
  }
  return text;
}

/** The first closing mark, unless it is one that somebody writes about: apart from other words, or quoted. */
function findOwnEnd(
  text: string,
  close: Thought['close'],
): { readonly at: number; readonly end: number } | null {
  let end = 0;
  for (let match = close.exec(text); match !== null; match = close.exec(text.slice(end))) {
    const at = end + match.index;
    end = at + match[0].length;
    if (isMarkOfItsOwn(text[at - 1] ?? '\n', text[end] ?? '\n')) return { at, end };
  }
  return null;
}

function isMarkOfItsOwn(before: string, after: string): boolean {
  if (before === '\n' || after === '\n') return !/[`"']/.test(before + after);
  return !/[\s`"'(「『]/.test(before) && !/[\s`"'.,;:!?)」』]/.test(after);
}

/** The fence that is open after a line; null for none. */
function afterLine(line: string, fence: string | null): string | null {
  const start = line.trim();
  const mark = start.startsWith('```') ? '```' : start.startsWith('~~~') ? '~~~' : null;
  if (mark === null) return fence;
  if (fence === null) return mark;
  return mark === fence ? null : fence;
}

/** The first characters of a text, with a mark where more followed. */
export function fitStart(text: string, { maxChars }: { readonly maxChars: number }): string {
  return text.length <= maxChars ? text : `${cutEnd(text, maxChars - 1)}…`;
}

function cutEnd(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}

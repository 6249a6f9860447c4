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

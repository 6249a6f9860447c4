const tags = ['think', 'thinking', 'thought', 'reasoning'] as const;

/** With what models write a call into their text that their server should have made a call of. */
const callMarks = [
  '<tool_call',
  '<function_call',
  '<function=',
  '<|tool_call',
  '[TOOL_CALLS]',
  '[TOOL_CALL]',
];

/**
 * The text without what a model only thought: blocks such as `<think>…</think>` that begin a line, one that is never
 * closed, and what stands before a closing mark whose opening the server has swallowed. Marks in fenced code are text.
 */
export function withoutThinking(text: string): string {
  if (!text.includes('<')) return text.trim();
  let rest = dropHeadless(text.trim());
  const kept: string[] = [];
  let fence: string | null = null;
  while (rest !== '') {
    const end = rest.indexOf('\n') + 1 || rest.length;
    const line = rest.slice(0, end);
    const tag = fence === null ? findTag(line) : null;
    if (tag === null) {
      fence = afterLine(line, fence);
      kept.push(line);
      rest = rest.slice(end);
      continue;
    }
    const close = rest.indexOf(`</${tag}>`);
    if (close === -1) break;
    rest = rest.slice(close + tag.length + 3).trimStart();
  }
  return kept.join('').trim();
}

/** Whether an answer without calls was meant as one: it holds a call in words, outside of fenced code, or is nothing else. */
export function isCallInWords(text: string, toolNames: readonly string[]): boolean {
  return isBareCall(text.trim(), toolNames) || hasCallMark(text);
}

function hasCallMark(text: string): boolean {
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const start = line.trimStart();
    if (fence === null && callMarks.some((mark) => start.startsWith(mark))) return true;
    fence = afterLine(line, fence);
  }
  return false;
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

/** Templates often write the opening mark into the prompt, so that an answer begins in the middle of a thought. */
function dropHeadless(text: string): string {
  for (const tag of tags) {
    const close = `</${tag}>`;
    const end = findOwnEnd(text, close);
    if (end !== -1 && !text.slice(0, end).includes(`<${tag}>`)) {
      return text.slice(end + close.length).trimStart();
    }
  }
  return text;
}

/** Where a closing mark begins or ends a line; -1 where it only stands within one. */
function findOwnEnd(text: string, close: string): number {
  if (text.startsWith(close)) return 0;
  const begins = text.indexOf(`\n${close}`);
  const ends = text.indexOf(`${close}\n`);
  if (begins === -1 || ends === -1) return Math.max(begins === -1 ? -1 : begins + 1, ends);
  return Math.min(begins + 1, ends);
}

function findTag(line: string): string | null {
  const start = line.trimStart();
  return tags.find((tag) => start.startsWith(`<${tag}>`)) ?? null;
}

/** The fence that is open after a line; null for none. */
function afterLine(line: string, fence: string | null): string | null {
  const start = line.trim();
  const mark = start.startsWith('```') ? '```' : start.startsWith('~~~') ? '~~~' : null;
  if (mark === null) return fence;
  if (fence === null) return mark;
  return mark === fence ? null : fence;
}

/** A part of a text, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FoundObjects {
  /** From `{` to its `}`, none inside another, in the order of the text; the last ones where there are many. */
  readonly closed: readonly Span[];
  /** Where an object begins that nothing closes; null when there is none. */
  readonly openAt: number | null;
}

/** Deeper than any answer: what goes deeper is noise, and no parser is given it. */
const maxDepth = 64;
const maxClosed = 32;

/**
 * Finds what may be JSON objects in a text: braces in pairs, those in strings left aside. Prose, fences and markers
 * around them do not matter. One pass over the text.
 */
export function findJsonObjects(text: string): FoundObjects {
  const closed: Span[] = [];
  /** Where the braces that are open begin; -1 for a bracket in them. */
  let open: number[] = [];
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === backslash) at += 1;
      else if (code === quote) isString = false;
    } else if (code === openBrace) open.push(at);
    else if (open.length === 0) continue;
    else if (code === quote) isString = true;
    else if (code === openBracket) open.push(-1);
    else if (code === closeBracket && open.at(-1) === -1) open.pop();
    else if (code === closeBrace) {
      while (open.at(-1) === -1) open.pop();
      addSpan(closed, { start: open.pop() ?? at, end: at + 1 });
    }
    if (open.length > maxDepth) open = [];
  }
  return { closed, openAt: open[0] ?? null };
}

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function addSpan(closed: Span[], span: Span): void {
  while ((closed.at(-1)?.start ?? -1) > span.start) closed.pop();
  closed.push(span);
  if (closed.length > 2 * maxClosed) closed.splice(0, maxClosed);
}

/** A part of a text, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** From a `{` to its `}`. */
export interface BraceSpan extends Span {
  /** Those in it that are in no other one of it, the last first; the last ones where there are many. */
  readonly inner: readonly BraceSpan[];
}

export interface FoundObjects {
  /** None inside another, in the order of the text; the last ones where there are many. */
  readonly closed: readonly BraceSpan[];
  /** Where an object begins that nothing closes; null when there is none. */
  readonly openAt: number | null;
}

/** Deeper than any answer: what goes deeper is noise, and no parser is given it. */
const maxDepth = 64;
const maxClosed = 32;
const maxInner = 8;

/**
 * Finds what may be JSON objects in a text: braces in pairs, those in strings left aside. Prose, fences and markers
 * around them do not matter. One pass over the text.
 */
export function findJsonObjects(text: string): FoundObjects {
  const closed: BraceSpan[] = [];
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

function addSpan(closed: BraceSpan[], { start, end }: Span): void {
  const inner: BraceSpan[] = [];
  for (let last = closed.at(-1); last !== undefined && last.start > start; last = closed.at(-1)) {
    if (inner.length < maxInner) inner.push(last);
    closed.pop();
  }
  closed.push({ start, end, inner });
  if (closed.length > 2 * maxClosed) closed.splice(0, maxClosed);
}

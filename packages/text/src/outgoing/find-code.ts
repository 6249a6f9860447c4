/** A part of a text, in UTF-16 code units; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Begins a block in which Markdown stands still until a mark of its own, not at the next empty line. */
const longHtml = /^ {0,3}<(?:!|\?|script|pre|style|textarea)/im;

/** A line that may open or close a fenced block somewhere: in a list, in a quotation, behind spaces. */
const maybeFence = /^[\s>*+.)\d-]*(?:`{3}|~{3})/;

/**
 * Finds what every reader of Markdown takes for code, in order: fenced blocks at the left margin and spans within one
 * line. Where HTML, a table, an escaped or a lonely backtick could make two readers differ, nothing is found up to the
 * next empty line, and nothing more behind a fence that one of them could miss: taking text for code is the mistake that
 * must not happen.
 *
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks, #code-spans
 */
export function findCode(text: string): readonly TextRange[] {
  if (longHtml.test(text)) return [];
  const found: TextRange[] = [];
  let fence: { readonly mark: string; readonly start: number } | null = null;
  let isSure = true;
  let at = 0;
  for (const line of text.split('\n')) {
    const opening: RegExpExecArray | null =
      fence === null && isSure ? /^(`{3,})[^`]*$|^(~{3,})/.exec(line) : null;
    if (fence !== null) {
      if (closes(line, fence.mark)) {
        found.push({ start: fence.start, end: at + line.length });
        fence = null;
        isSure = true;
      }
    } else if (opening !== null) {
      fence = { mark: opening[1] ?? opening[2] ?? '', start: at };
    } else if (maybeFence.test(line)) {
      return found;
    } else if (line.trim() === '') {
      isSure = true;
    } else if (isSure) {
      isSure = !/[<|]|\\`/.test(line) && findSpans(line, { at, found });
    }
    at += line.length + 1;
  }
  if (fence !== null) found.push({ start: fence.start, end: text.length });
  return found;
}

function closes(line: string, mark: string): boolean {
  return /^ {0,3}(?:`{3,}|~{3,})[ \t]*$/.test(line) && line.trimStart().startsWith(mark);
}

/** Adds the spans of a line; false when one is left open. */
function findSpans(
  line: string,
  { at, found }: { readonly at: number; readonly found: TextRange[] },
): boolean {
  let open: { readonly length: number; readonly start: number } | null = null;
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    if (open === null) open = { length: run.length, start: at + index };
    else if (open.length === run.length) {
      found.push({ start: open.start, end: at + index + run.length });
      open = null;
    }
  }
  return open === null;
}

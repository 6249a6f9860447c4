import type { Span } from './clean/edits.ts';
import { findBlocks } from './clean/find-blocks.ts';
import { toPage } from './clean/page.ts';

/**
 * The fenced code blocks of a Markdown text, in order: whole lines, from the one that opens a fence to the one
 * that closes it, without the last line break. A fence that nothing closes goes on as far as its code does.
 */
export function findFences(text: string): Span[] {
  if (!/`{3}|~{3}/.test(text)) return [];
  const { fenceInfos, code } = findBlocks(toPage(text));
  const codeEnds = code.map(({ end }) => end).sort((a, b) => a - b);
  let next = 0;
  return fenceInfos.map((info, index) => {
    let end = info.end;
    while ((codeEnds[next] ?? Number.POSITIVE_INFINITY) <= end) next += 1;
    for (let line = lineAfter(text, end); line !== null && codeEnds[next] === line.end; next += 1) {
      end = line.end;
      line = lineAfter(text, end);
    }
    const closing = lineAfter(text, end);
    const opensAnother = (fenceInfos[index + 1]?.start ?? text.length + 1) <= (closing?.end ?? 0);
    const isClosed =
      closing !== null && !opensAnother && /[`~]{3}[ \t]*$/.test(text.slice(closing.start, closing.end));
    return { start: lineStart(text, info.start), end: isClosed ? closing.end : end };
  });
}

function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !/[\r\n]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** The line behind the one that ends here; null at the end of the text. */
function lineAfter(text: string, end: number): Span | null {
  if (end >= text.length) return null;
  const start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  const next = text.slice(start).search(/[\r\n]/);
  return { start, end: next === -1 ? text.length : start + next };
}

import { cleanCharacters } from './clean-characters.ts';
import { type Span, toDisjointCuts, toDisjointSpans } from './edits.ts';
import { findCuts } from './find-cuts.ts';
import type { RemovalLog } from './removal-log.ts';

/** Takes out what a page would not show, and the characters without a shape from what is left. */
export function cleanOnce(text: string, log: RemovalLog): string {
  const found = findCuts(text);
  const cuts = toDisjointCuts(found.cuts);
  const code = toDisjointSpans(found.code);
  const parts: string[] = [];
  let reached = 0;
  let nextCode = 0;
  const keepUntil = (end: number) => {
    while (reached < end) {
      while ((code[nextCode]?.end ?? Number.POSITIVE_INFINITY) <= reached) nextCode += 1;
      const piece = nextPiece({ start: reached, end }, code[nextCode]);
      parts.push(cleanCharacters(text.slice(reached, piece.end), { inCode: piece.inCode, log }));
      reached = piece.end;
    }
  };
  for (const { start, end, kind } of cuts) {
    keepUntil(start);
    log.add(kind, end - start);
    reached = end;
  }
  keepUntil(text.length);
  return parts.join('');
}

/** Up to where the text from here on is code throughout, or not code throughout. */
function nextPiece(
  { start, end }: Span,
  code: Span | undefined,
): { readonly end: number; readonly inCode: boolean } {
  if (code === undefined || code.start >= end) return { end, inCode: false };
  if (start < code.start) return { end: code.start, inCode: false };
  return { end: Math.min(end, code.end), inCode: true };
}

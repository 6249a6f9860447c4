import type { Span } from '../clean/edits.ts';

/**
 * Finds the code spans of a stretch of Markdown in which only backticks and backslashes matter: it holds no HTML, no link
 * with a backtick in its address, no formula. Takes linear time.
 *
 * @see https://spec.commonmark.org/0.31.2/#code-spans
 */
export function findCodeSpans(text: string, stretch: Span): readonly Span[] {
  const runs = listRuns(text, stretch);
  const findClosing = createRunFinder(runs);
  const found: Span[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    if (run === undefined) break;
    // Behind an escaped backtick, the rest of its run opens code.
    const start = run.start + (isEscaped(text, { start: stretch.start, end: run.start }) ? 1 : 0);
    const closing = start === run.end ? null : findClosing(run.end - start, index);
    if (closing === null) continue;
    found.push({ start, end: runs[closing]?.end ?? run.end });
    index = closing;
  }
  return found;
}

function listRuns(text: string, { start, end }: Span): readonly Span[] {
  const runs: Span[] = [];
  for (let at = text.indexOf('`', start); at !== -1 && at < end; at = text.indexOf('`', at)) {
    const from = at;
    while (at < end && text[at] === '`') at += 1;
    runs.push({ start: from, end: at });
  }
  return runs;
}

/** Makes the function that finds the next run of a length behind another one; it is asked in the order of the text. */
function createRunFinder(runs: readonly Span[]): (length: number, after: number) => number | null {
  const byLength = new Map<number, number[]>();
  for (const [index, { start, end }] of runs.entries()) {
    const same = byLength.get(end - start);
    if (same === undefined) byLength.set(end - start, [index]);
    else same.push(index);
  }
  const passed = new Map<number, number>();
  return (length, after) => {
    const same = byLength.get(length) ?? [];
    let next = passed.get(length) ?? 0;
    while ((same[next] ?? runs.length) <= after) next += 1;
    passed.set(length, next);
    return same[next] ?? null;
  };
}

/** Tells whether an odd number of backslashes stands at the end of a stretch. */
export function isEscaped(text: string, { start, end }: Span): boolean {
  let at = end;
  while (at > start && text[at - 1] === '\\') at -= 1;
  return (end - at) % 2 === 1;
}

import { structuredPatch } from 'diff';
import { shortenText } from './shorten-text.ts';

const maxLines = 20;
const maxLineChars = 200;
/** Beyond these a comparison costs more than it tells. */
const limits = { context: 1, maxEditLength: 400, timeout: 100 };

/**
 * What changed between two bodies, as a unified diff of at most 20 lines; null when it cannot be told shortly.
 *
 * @see decision B12
 */
export function describeEdit(before: string, after: string): string | null {
  const patch = structuredPatch('before', 'after', before, after, undefined, undefined, limits);
  const lines = patch?.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.filter((line) => !line.startsWith('\\')),
  ]);
  if (lines === undefined || lines.length === 0) return null;
  return fitLines(lines)
    .map((line) => shortenText(line, maxLineChars))
    .join('\n');
}

function fitLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxLines) return lines;
  const shown = lines.slice(0, maxLines - 1);
  return [...shown, `… (${lines.length - shown.length} more lines)`];
}

import { structuredPatch } from 'diff';
import type { CommentChange } from './changes.ts';
import { formatCommentMessage, loginOf } from './format-comment-message.ts';
import type { CommentMessageOptions } from './shown-body.ts';
import { defaultMaxBodyChars, shortenText, toShownBody } from './shown-body.ts';

const maxQuoteChars = 200;

/**
 * One user message for all that changed: new comments as seed 001 words them, then a block for each edit (the
 * new body and what changed), then one for each deletion (what it had said, in one line).
 *
 * @see decision B12
 */
export function formatChangesMessage(
  changes: readonly CommentChange[],
  options: CommentMessageOptions = {},
): string {
  const ofKind = (kind: CommentChange['kind']) => changes.filter((change) => change.kind === kind);
  const added = formatCommentMessage(
    ofKind('added').map(({ comment }) => comment),
    options,
  );
  const edited = ofKind('edited').map((change) => formatEdit(change, options));
  const deleted = ofKind('deleted').map((change) => formatDeletion(change, options));
  return [added, ...edited, ...deleted].filter((block) => block !== '').join('\n\n');
}

function formatEdit(change: CommentChange, options: CommentMessageOptions): string {
  const { maxBodyChars = defaultMaxBodyChars } = options;
  const { comment, previousBody } = change;
  const diff = previousBody === null ? null : describeEdit(previousBody, comment.body);
  const appendix = diff === null ? undefined : shortenText(`What changed:\n${diff}`, maxBodyChars);
  return `[Comment Edited by @${loginOf(comment)}]:\n${toShownBody(comment, { ...options, appendix })}`;
}

function formatDeletion({ comment }: CommentChange, options: CommentMessageOptions): string {
  const line = comment.body
    .slice(0, 4 * maxQuoteChars)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const quoted = { ...comment, body: shortenText(line, maxQuoteChars) };
  return `[Comment Deleted by @${loginOf(comment)}]:\n${toShownBody(quoted, { ...options, withdrawn: true })}`;
}

const maxLines = 20;

const maxLineChars = 200;

/** Beyond these a comparison costs more than it tells. */
const limits = { context: 1, maxEditLength: 400, timeout: 100 };

/**
 * Describes the change between two bodies, as a unified diff of at most 20 lines; null when it cannot be told shortly.
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

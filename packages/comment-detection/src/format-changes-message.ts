import type { CommentChange } from './changes.ts';
import { describeEdit } from './describe-edit.ts';
import { formatCommentMessage, loginOf } from './format-comment-message.ts';
import type { CommentMessageOptions } from './message-options.ts';
import { shortenText } from './shorten-text.ts';
import { defaultMaxBodyChars, toShownBody } from './shown-body.ts';

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

import type { LineSubject } from '../model.ts';

/**
 * Shows the suggestions in a comment on lines as diffs: the lines that they replace are the last ones of the hunk. A
 * suggestion without its lines stays as it is.
 *
 * @see https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/incorporating-feedback-in-your-pull-request
 */
export function formatSuggestions(body: string, subject: LineSubject): string {
  const replaced = findLines(subject);
  if (replaced === null) return body;
  const shown: string[] = [];
  let fence: string | null = null;
  for (const line of body.split(/\r?\n/u)) {
    const opening =
      fence === null ? /^ {0,3}(`{3,}|~{3,})[ \t]*suggestion[ \t]*$/u.exec(line)?.[1] : undefined;
    if (opening !== undefined) {
      fence = opening;
      shown.push(`${fence}diff`, ...replaced.map((one) => `-${one}`));
    } else if (fence === null) shown.push(line);
    else if (isClosing(line, fence)) {
      shown.push(fence);
      fence = null;
    } else shown.push(`+${line}`);
  }
  return shown.join('\n');
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
}

/** Null where the hunk does not show all lines that the comment is on. */
function findLines({ hunk, side, firstLine, lastLine }: LineSubject): readonly string[] | null {
  if (hunk === null || side === 'old' || firstLine === null || lastLine === null) return null;
  const count = lastLine - firstLine + 1;
  const after = hunk.split(/\r?\n/u).filter((line) => /^[ +]/u.test(line));
  return after.length < count ? null : after.slice(-count).map((line) => line.slice(1));
}

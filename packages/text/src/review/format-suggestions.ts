/** Lines of a changed file that a comment is about. */
export interface SuggestedLines {
  /** Null for a comment on the whole file. */
  readonly firstLine: number | null;
  readonly lastLine: number | null;
  readonly side: 'old' | 'new';
  /** Diff that ends with the last line. */
  readonly hunk: string | null;
}

/** ```` ```suggestion ````; GitLab adds how many lines above and below the commented one are replaced. */
const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*suggestion(?::-(\d{1,3})\+(\d{1,3}))?[ \t]*$/u;

/**
 * Shows the suggestions in a comment on lines as diffs: the lines that they replace are the last ones of the hunk. A
 * suggestion whose lines the hunk does not show stays as it is.
 *
 * @see https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/incorporating-feedback-in-your-pull-request
 * @see https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/
 */
export function formatSuggestions(body: string, subject: SuggestedLines): string {
  const shown: string[] = [];
  let fence: string | null = null;
  for (const line of body.split(/\r?\n/u)) {
    const found: readonly (string | undefined)[] | null = fence === null ? opening.exec(line) : null;
    const opened: string = found?.[1] ?? '';
    const [above, below = '0'] = found?.slice(2) ?? [];
    const replaced = opened === '' ? null : findLines(subject, { above, below });
    if (replaced !== null) {
      fence = opened;
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

/** Null where the hunk does not show all lines that are replaced. */
function findLines(
  { hunk, side, firstLine, lastLine }: SuggestedLines,
  { above, below }: { readonly above: string | undefined; readonly below: string },
): readonly string[] | null {
  if (hunk === null || side === 'old' || firstLine === null || lastLine === null || below !== '0')
    return null;
  const count = 1 + (above === undefined ? lastLine - firstLine : Number(above));
  const after = hunk.split(/\r?\n/u).filter((line) => /^[ +]/u.test(line));
  return after.length < count ? null : after.slice(-count).map((line) => line.slice(1));
}

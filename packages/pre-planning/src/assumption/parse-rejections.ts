/** A person's word that an assumption does not hold. */
export interface Rejection {
  /** Such as `A2`. */
  readonly label: string;
  /** Empty when none was given. */
  readonly reason: string;
}

/** One line of a comment is no book. */
const maxReasonChars = 500;

/**
 * Reads `/reject A2 reason` out of a comment: the first word of a line, at its very start, outside of code and quotes.
 * Several labels may stand in one command. Whether its author may steer the agent is for the caller to know.
 */
export function parseRejections(body: string): readonly Rejection[] {
  const found = new Map<string, string>();
  let fence: string | null = null;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === '') fence = null;
      continue;
    }
    // A line such as ```` ```a``` ```` is code within a line, and opens nothing.
    if (mark?.[1] !== undefined && !(mark[1].startsWith('`') && mark[2]?.includes('`'))) fence = mark[1];
    const rest = /^\/reject(?=[\s\u3000])(.*)$/u.exec(line)?.[1];
    if (rest === undefined) continue;
    const { labels, reason } = splitCommand(rest);
    for (const label of labels) found.set(label, reason);
  }
  return [...found].map(([label, reason]) => ({ label, reason }));
}

function splitCommand(rest: string): { readonly labels: readonly string[]; readonly reason: string } {
  const [named = ''] = /^(?:[\s,、]*[AaＡａ][\d０-９]{1,4}(?![\p{L}\p{N}_]))+/u.exec(rest) ?? [];
  const labels = named.normalize('NFKC').toUpperCase().match(/A\d+/g) ?? [];
  const reason = rest
    .slice(named.length)
    .replace(/^[\s:：,、-]+/u, '')
    .trim();
  return {
    labels: labels.map((label) => `A${Number(label.slice(1))}`),
    reason: reason.slice(0, maxReasonChars).toWellFormed(),
  };
}

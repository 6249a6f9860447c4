/** What people can tell a run by a comment. */
export type CommentCommand = 'stop' | 'pause' | 'resume';

/**
 * The command that a comment gives: the first word of a line that is `/stop`, `/pause` or `/resume`, outside of
 * code and quotes. Of several the strongest: stop, then pause.
 */
export function parseCommand(body: string): CommentCommand | null {
  const found = new Set<string>();
  let fence: string | null = null;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null && marks !== null) fence = marks;
    else if (fence !== null && marks?.startsWith(fence)) fence = null;
    else if (fence === null) found.add(/^(\/[a-z]+)(?=\s|$)/.exec(line)?.[1] ?? '');
  }
  const strongest = ['/stop', '/pause', '/resume'].find((name) => found.has(name));
  return strongest === undefined ? null : (strongest.slice(1) as CommentCommand);
}

/** What people can tell a run by a comment. */
export type CommentCommand = 'stop' | 'pause' | 'resume' | 'show-history';

const commands: readonly CommentCommand[] = ['stop', 'pause', 'resume', 'show-history'];

/**
 * The command that a comment gives: the first word of a line that is `/stop`, `/pause`, `/resume` or `/show-history`,
 * outside of code and quotes. Of several the strongest: stop, then pause.
 */
export function parseCommand(body: string): CommentCommand | null {
  const found = new Set(readLines(body).map(({ command }) => command));
  return commands.find((command) => found.has(command)) ?? null;
}

/** The body with each line that gives a command replaced; what else stands there is said to the agent. */
export function replaceCommands(body: string, toText: (command: CommentCommand) => string): string {
  return readLines(body)
    .map(({ line, command }) => (command === null ? line : toText(command)))
    .join('\n');
}

interface ReadLine {
  readonly line: string;
  readonly command: CommentCommand | null;
}

/** Backticks behind backticks on one line are a code span, not a fence. */
const opening = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** Nothing may stand behind it. */
const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

function readLines(body: string): readonly ReadLine[] {
  let fence: string | null = null;
  return body.split(/\r\n|\r|\n/).map((line) => {
    const marks = (fence === null ? opening : closing).exec(line)?.[1] ?? null;
    const isOutside: boolean = fence === null && marks === null;
    if (fence === null) fence = marks;
    else if (marks?.startsWith(fence)) fence = null;
    const word = /^\/([a-z-]+)(?=\s|$)/.exec(line)?.[1];
    return { line, command: isOutside ? (commands.find((command) => command === word) ?? null) : null };
  });
}

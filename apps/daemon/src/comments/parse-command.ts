/** What people can tell a run by a comment. */
export type CommentCommand = 'stop' | 'pause' | 'resume' | 'retry' | 'show-history';

const commands: readonly CommentCommand[] = ['stop', 'pause', 'resume', 'retry', 'show-history'];

/**
 * The command that a comment gives: the first word of a line that is `/stop`, `/pause`, `/resume`, `/retry` or `/show-history`,
 * outside of code and quotes. Of several the strongest: stop, then pause.
 */
export function parseCommand(body: string): CommentCommand | null {
  if (!namesCommand(body)) return null;
  const found = new Set(readLines(body).map(({ command }) => command));
  return commands.find((command) => found.has(command)) ?? null;
}

/** The body with each line that gives a command replaced; what else stands there is said to the agent. */
export function replaceCommands(body: string, toText: (command: CommentCommand) => string): string {
  if (!namesCommand(body)) return body.replace(/\r\n?/g, '\n');
  return readLines(body)
    .map(({ line, command }) => (command === null ? line : toText(command)))
    .join('\n');
}

/** Whether it is worth reading line by line, which long texts make slow. */
function namesCommand(body: string): boolean {
  return commands.some((command) => body.includes(`/${command}`));
}

interface ReadLine {
  readonly line: string;
  readonly command: CommentCommand | null;
}

/** What a line begins with: white space and the markers of items, which may stand in one another. */
const beginning = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))*/;
/** Backticks behind backticks on one line are a code span, not a fence. */
const opening = /^(`{3,}(?=[^`]*$)|~{3,})/;
/** Nothing may stand behind it. */
const closing = /^(`{3,}|~{3,})[ \t]*$/;
/** What is indented further than this is code without a fence. */
const maxIndent = 3;

/** Code in an item of a list is taken to go on to the end of its fence, even where its lines are not indented. */
function readLines(body: string): readonly ReadLine[] {
  let fence: string | null = null;
  let itemWidth = 0;
  return body.split(/\r\n|\r|\n/).map((line) => {
    if (fence === null) itemWidth = toItemWidth(line, itemWidth);
    const marks = findMarks(line, { isOpen: fence !== null, maxWidth: itemWidth + maxIndent });
    const isOutside: boolean = fence === null && marks === null;
    if (fence === null) fence = marks;
    else if (marks?.startsWith(fence)) fence = null;
    const word = /^\/([a-z-]+)(?=\s|$)/.exec(line)?.[1];
    return { line, command: isOutside ? (commands.find((command) => command === word) ?? null) : null };
  });
}

/** How far the text of the item is indented that a line begins or is in; 0 outside of lists. */
function toItemWidth(line: string, before: number): number {
  const begins = beginning.exec(line)?.[0] ?? '';
  if (begins.trim() !== '') return begins.length;
  return /^\S/.test(line) ? 0 : before;
}

interface FencePlace {
  readonly isOpen: boolean;
  /** Of what stands before the signs. */
  readonly maxWidth: number;
}

/** The signs of a fence that a line opens or, when one is open, may close. */
function findMarks(line: string, { isOpen, maxWidth }: FencePlace): string | null {
  const [begins = ''] = (isOpen ? /^[ \t]*/ : beginning).exec(line) ?? [];
  if (begins.length > maxWidth) return null;
  return (isOpen ? closing : opening).exec(line.slice(begins.length))?.[1] ?? null;
}

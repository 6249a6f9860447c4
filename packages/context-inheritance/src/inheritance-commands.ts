/** Words of a person on the thread. */
export interface CommandText {
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Whether this person may steer the agent; the words of others command nothing (decision X11). */
  readonly isTrusted: boolean;
}

/** What people want done with the past. @see seed 002 §6.1 */
export interface InheritanceCommands {
  /** `no-inherit`: not this time. `fresh-start`: never again anything that ended before. The stronger one wins. */
  readonly refusal: 'fresh-start' | 'no-inherit' | null;
  /** `/show-history` was asked for; it refuses nothing, and stands beside a refusal. */
  readonly showsHistory: boolean;
}

export interface CommandSearch {
  /** When the previous run ended; only what was said after that counts. Null before the first run: all counts. */
  readonly since: string | null;
}

/**
 * Reads the commands that trusted people gave since the previous run's end. The issue's own text is one of the
 * `texts`: after a first run it is older than that run's end, so that it commands only once. @see decision C8
 */
export function findInheritanceCommands(
  texts: readonly CommandText[],
  { since }: CommandSearch,
): InheritanceCommands {
  const start = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const heard = texts.filter(({ isTrusted, createdAt }) => isTrusted && Date.parse(createdAt) > start);
  const found = new Set(heard.flatMap(({ body }) => parseInheritanceCommands(body)));
  return {
    refusal: found.has('/fresh-start') ? 'fresh-start' : found.has('/no-inherit') ? 'no-inherit' : null,
    showsHistory: found.has('/show-history'),
  };
}

const commands = ['/no-inherit', '/fresh-start', '/show-history'] as const;
type Command = (typeof commands)[number];

/** The commands in a text: the first word of a line, at its very start, outside of code and quotes, as it is written. */
export function parseInheritanceCommands(body: string): readonly Command[] {
  const found = new Set<Command>();
  let fence: string | null = null;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const mark = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))/.exec(line);
    const info = line.slice(mark?.[0].length ?? 0);
    if (fence !== null) {
      const isEnd = mark?.[1]?.startsWith(fence) === true && info.trim() === '';
      if (isEnd) fence = null;
      continue;
    }
    // A line such as ```` ```a``` ```` is code within a line, and opens nothing.
    if (mark?.[1] !== undefined && !(mark[1].startsWith('`') && info.includes('`'))) fence = mark[1];
    const word = /^\S+/.exec(line)?.[0];
    const command = commands.find((candidate) => candidate === word);
    if (command !== undefined) found.add(command);
  }
  return [...found];
}

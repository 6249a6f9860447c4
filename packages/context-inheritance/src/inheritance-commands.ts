import { parseCommands } from '@agent/text';

/** Words of a person on the thread. */
export interface CommandText {
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Tells whether this person may steer the agent; commands of others are ignored (decision X11). */
  readonly isTrusted: boolean;
}

/** Commands of people on what is inherited. @see seed 002 §6.1 */
export interface InheritanceCommands {
  /** `no-inherit`: not this time. `fresh-start`: never again anything that ended before. The stronger one wins. */
  readonly refusal: 'fresh-start' | 'no-inherit' | null;
  /** `/show-history` was asked for; it refuses nothing, and stands beside a refusal. */
  readonly showsHistory: boolean;
}

export interface CommandSearch {
  /** End of the previous run, ISO 8601: only later comments count. Null before the first run: all count. */
  readonly since: string | null;
}

/**
 * Reads the commands that trusted people gave since the previous run's end. The issue's own text is one of the
 * `texts`: after a first run it is older than that run's end, so that it commands only once. @see decision C8
 *
 * @example
 * const texts = [{ body: '/fresh-start', createdAt: '2026-05-02T00:00:00Z', isTrusted: true }];
 * findInheritanceCommands(texts, { since: null }); // { refusal: 'fresh-start', showsHistory: false }
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

const names = ['no-inherit', 'fresh-start', 'show-history'] as const;
type InheritanceCommand = `/${(typeof names)[number]}`;

/**
 * Reads the commands on inheritance in a text, each once, as `parseCommands` finds them.
 *
 * @example
 * parseInheritanceCommands('Thanks.\n/show-history'); // ['/show-history']
 */
export function parseInheritanceCommands(body: string): readonly InheritanceCommand[] {
  return [...new Set(parseCommands(body, names).commands.map(({ name }) => `/${name}` as const))];
}

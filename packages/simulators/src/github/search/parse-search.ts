/** A search as GitHub's box understands it: words, phrases, and `name:value` with or without a minus. */
export interface Search {
  /** Lower-case words and phrases; all must be found. */
  readonly words: readonly string[];
  readonly qualifiers: readonly Qualifier[];
  /** Kind of thread that `is:` or `type:` asks for; null when the query does not say. */
  readonly kind: 'issue' | 'pull-request' | null;
}

export interface Qualifier {
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
}

const known = new Set(
  'repo user org is type state label author assignee in no created updated closed comments involves commenter sort path extension filename language'.split(
    ' ',
  ),
);
const kinds: Readonly<Record<string, 'issue' | 'pull-request'>> = {
  issue: 'issue',
  pr: 'pull-request',
  'pull-request': 'pull-request',
};

/**
 * Splits a query.
 * @see https://docs.github.com/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax
 */
export function parseSearch(query: string): Search {
  const words: string[] = [];
  const qualifiers: Qualifier[] = [];
  for (const [, minus = '', name = '', rest = ''] of query.matchAll(/(-?)(?:([a-z-]+):)?("[^"]*"|\S+)/gi)) {
    const value = rest.replace(/^"|"$/g, '');
    if (known.has(name.toLowerCase())) {
      qualifiers.push({ name: name.toLowerCase(), value, negated: minus === '-' });
    } else if (!/^(AND|OR|NOT)$/.test(value)) {
      words.push((name ? `${name}:${value}` : value).toLowerCase());
    }
  }
  return { words, qualifiers, kind: findKind(qualifiers) };
}

function findKind(qualifiers: readonly Qualifier[]) {
  for (const { name, value, negated } of qualifiers) {
    const kind = kinds[value.toLowerCase()];
    if (kind && !negated && (name === 'is' || name === 'type')) return kind;
  }
  return null;
}

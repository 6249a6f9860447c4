import { mapProse } from './readable-text.ts';

/** Places whose names are kept, and names of each. */
const maxPlaces = 1_000;
const maxNames = 500;

/** These mention all members, whatever the account that bears the name. */
const reserved = new Set(['@everyone', '@here']);

/** Names that were read in each thread or channel, with the markup that they stand for. */
export class ThreadNames {
  /** Null: two accounts share the name. */
  readonly #places = new Map<string, Map<string, string | null>>();

  note(placeId: string, name: string, markup: string): void {
    if (reserved.has(name.toLowerCase())) return;
    const names = this.#places.get(placeId) ?? new Map<string, string | null>();
    this.#places.delete(placeId);
    this.#places.set(placeId, names);
    const known = names.get(name);
    names.set(name, known === undefined || known === markup ? markup : null);
    forgetOldest(names, maxNames);
    forgetOldest(this.#places, maxPlaces);
  }

  /** Finds the name, without its sign, that some markup was read as. */
  find(placeId: string, markup: string): string | null {
    for (const [name, known] of this.#places.get(placeId) ?? []) if (known === markup) return name.slice(1);
    return null;
  }

  /**
   * Puts markup in place of the names that were read in a place, except in code. A name that two accounts share stays, and so do
   * `@everyone` and `@here`.
   */
  toMarkup(placeId: string, text: string): string {
    const names = this.#places.get(placeId);
    if (names === undefined || !/[@#:]/.test(text)) return text;
    const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
    const pattern = new RegExp(
      `(?<![\\w@#:<.])(?:${longestFirst.map(toPattern).join('|')})(?![A-Za-z0-9_>]|[.-][A-Za-z0-9])`,
      'g',
    );
    return mapProse(text, (prose) => prose.replace(pattern, (name) => names.get(name) ?? name));
  }
}

function toPattern(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

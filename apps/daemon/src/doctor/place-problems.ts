import type { Statement } from './finding.ts';
import type { DoctorTexts } from './texts.en.ts';

/** Repositories that are named of those with the same problem. */
const namedPlaces = 3;

interface Group {
  readonly first: Statement;
  readonly places: string[];
}

/** Problems of repositories. Equal ones are one statement with the number of repositories and the first names. */
export class PlaceProblems {
  readonly #texts: Pick<DoctorTexts, 'sameIn'>;
  readonly #groups = new Map<string, Group>();

  constructor(texts: Pick<DoctorTexts, 'sameIn'>) {
    this.#texts = texts;
  }

  add(place: string, statement: Statement): void {
    const { status, text, fix } = statement;
    const key = JSON.stringify([status, text, fix].map((part) => part?.replaceAll(place, '\0')));
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { first: statement, places: [place] });
    else group.places.push(place);
  }

  /** In the order in which they were found first. */
  list(): readonly Statement[] {
    return [...this.#groups.values()].map(({ first, places: [, ...others] }) => {
      if (others.length === 0) return first;
      const named = others.slice(0, namedPlaces);
      return { ...first, text: `${first.text} ${this.#texts.sameIn(others.length, named)}` };
    });
  }
}

/** Places of one platform that tasks come from, as the configuration names them now. */
export interface Places {
  readonly list: () => readonly string[];
  /** Tells whether the page of a thread is one of a place that was named earlier, and is not any more. */
  readonly isRemoved: (url: string) => boolean;
}

/** Remembers which places were named, so that one that was renamed on the platform is not taken for removed. */
export function openPlaces(read: () => readonly string[]): Places {
  const known = new Set(read());
  const list = (): readonly string[] => {
    const places = read();
    for (const place of places) known.add(place);
    return places;
  };
  return {
    list,
    isRemoved: (url) => {
      const places = new Set(list().map((place) => place.toLowerCase()));
      const found = findNamedPlace([...known], url);
      return found !== null && !places.has(found.toLowerCase());
    },
  };
}

/**
 * Finds the place of a thread by its page; null where none has its name. A subgroup may be called as another group is, so that the
 * longest path counts.
 */
export function findNamedPlace(places: readonly string[], url: string): string | null {
  const page = url.toLowerCase();
  const named = places.filter((place) => page.includes(`/${place.toLowerCase()}/`));
  return named.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** The newest ids that were seen. */
export interface RememberedIds {
  /** Whether this one was not seen before; from now on it was. */
  readonly add: (id: string) => boolean;
}

/**
 * Remembers at least so many ids, at most twice as many. They are forgotten half by half: a set whose oldest entries
 * are taken out one by one gets slow, because it looks through the places of those that are gone.
 */
export function createRememberedIds({ capacity }: { readonly capacity: number }): RememberedIds {
  let older = new Set<string>();
  let newer = new Set<string>();
  return {
    add: (id) => {
      const isNew = !newer.has(id) && !older.has(id);
      if (newer.size === capacity) [older, newer] = [newer, new Set()];
      newer.add(id);
      return isNew;
    },
  };
}

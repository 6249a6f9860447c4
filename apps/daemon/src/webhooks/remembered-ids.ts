/** The newest ids that were seen. */
export interface RememberedIds {
  /** Whether this one was not seen before; from now on it was. */
  readonly add: (id: string) => boolean;
}

/** Remembers so many; who comes again stays longest. */
export function createRememberedIds({ capacity }: { readonly capacity: number }): RememberedIds {
  const ids = new Set<string>();
  return {
    add: (id) => {
      const isNew = !ids.delete(id);
      ids.add(id);
      for (const oldest of ids) {
        if (ids.size <= capacity) break;
        ids.delete(oldest);
      }
      return isNew;
    },
  };
}

/** Limits of the bodies that are read at the same time. */
export interface BodyBudgetOptions {
  /** Bodies that are read at one time. */
  readonly maxBodies: number;
  /** Bytes that all of them may have together; a single one may always come. */
  readonly maxBytes: number;
}

/** Limits what strangers can make the process hold before it knows who they are. */
export interface BodyBudget {
  /** Takes room for a body of so many bytes, and gives back what frees it again; null where there is none now. */
  readonly take: (bytes: number) => (() => void) | null;
}

/** Makes a budget that nothing is taken of yet. */
export function createBodyBudget({ maxBodies, maxBytes }: BodyBudgetOptions): BodyBudget {
  const taken = new Map<symbol, number>();
  return {
    take: (bytes) => {
      const held = [...taken.values()].reduce((sum, one) => sum + one, 0);
      const fits = taken.size === 0 || (taken.size < maxBodies && held + bytes <= maxBytes);
      if (!fits) return null;
      const key = Symbol();
      taken.set(key, bytes);
      return () => taken.delete(key);
    },
  };
}

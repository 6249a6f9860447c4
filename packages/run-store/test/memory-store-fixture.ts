import {
  createMemoryPlace,
  createMemoryRunLines,
  createMemoryRunReader,
  createMemoryRunStore,
  createMemoryTaskIndex,
  type MemoryPlace,
  type RunStoreFixture,
} from '../src/testing/index.ts';

/** The store in memory, with an owner for each process. What was written there survives all of them. */
export async function createMemoryStoreFixture({
  now,
}: {
  readonly now: () => number;
}): Promise<RunStoreFixture & { readonly place: MemoryPlace; readonly close: () => Promise<void> }> {
  const place = createMemoryPlace();
  return {
    place,
    start: async () => {
      const owner = await place.acquireOwnership();
      return {
        owner,
        store: createMemoryRunStore({ place, owner, now }),
        reader: createMemoryRunReader(place),
        index: createMemoryTaskIndex(place),
        lines: createMemoryRunLines(place),
        failNext: place.failNext,
        kill: async () => undefined,
      };
    },
    close: async () => undefined,
  };
}

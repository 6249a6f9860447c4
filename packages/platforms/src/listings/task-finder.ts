import { PlatformError } from '../platform-error.ts';
import type { CallOptions, PlaceFailure, TaskFinder, TaskQuery, TaskSummary } from '../ports.ts';

/** Findings of the places that answered, and why the others did not. */
export interface PlaceListing<Item> {
  readonly found: readonly Item[];
  readonly failures: readonly PlaceFailure[];
}

/** A thread of one place, and when it was opened. */
export interface FoundTask {
  readonly createdAt: string;
  readonly summary: TaskSummary;
}

/** Places that tasks come from, or what names them at each call. */
export type Places = readonly string[] | (() => readonly string[]);

/** Reads places, which may be others at each call. */
export function readingPlaces(places: Places): () => readonly string[] {
  return typeof places === 'function' ? places : () => places;
}

/** Finds tasks in places that are asked one after the other; oldest first. */
export function createTaskFinder(
  places: Places,
  list: (place: string, query: TaskQuery) => Promise<readonly FoundTask[]>,
): TaskFinder {
  const listPlaces = createPlaceLister(places, (place, query: TaskQuery) =>
    list(place, { ...query, changedSince: sinceOf(place, query) }),
  );
  return {
    listTasks: async (query) => {
      const { found, failures } = await listPlaces(query);
      const tasks = found
        .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
        .map(({ summary }) => summary);
      return { tasks, failures };
    },
  };
}

/** The time (ISO 8601) since which changes are asked for in one place; null for any. */
export function sinceOf(
  place: string,
  { changedSince, changedSinceIn }: Pick<TaskQuery, 'changedSince' | 'changedSinceIn'>,
): string | null {
  return changedSinceIn?.[place] ?? changedSince ?? null;
}

/**
 * Makes a function that asks one place after the other, so that one that is gone keeps no other from being listed. A place
 * that was there at the last call is asked a second time before it is taken for gone. Where the credential is refused,
 * or two places in a row get no answer, the rest is not asked and fails with the same error.
 *
 * @throws PlatformError when no place answered, for a reason that is not theirs; the signal's reason
 */
export function createPlaceLister<Options extends CallOptions, Item>(
  places: Places,
  list: (place: string, options: Options) => Promise<readonly Item[]>,
): (options: Options) => Promise<PlaceListing<Item>> {
  const readPlaces = readingPlaces(places);
  const gone = new Set<string>();
  const ask = async (place: string, options: Options): Promise<readonly Item[] | PlatformError> => {
    try {
      const items = await list(place, options);
      gone.delete(place);
      return items;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!PlatformError.isInstance(error)) throw error;
      if (error.scope !== 'place' || gone.has(place)) return error;
      gone.add(place);
      return ask(place, options);
    }
  };
  return async (options) => {
    const found: Item[] = [];
    const failures: PlaceFailure[] = [];
    let before: PlatformError | null = null;
    let ending: PlatformError | null = null;
    const asked = readPlaces();
    for (const place of asked) {
      const answer: readonly Item[] | PlatformError = ending ?? (await ask(place, options));
      if (PlatformError.isInstance(answer)) {
        failures.push({ place, error: answer });
        if (endsAll(answer, before)) ending = answer;
        before = answer;
      } else {
        found.push(...answer);
        before = null;
      }
    }
    const [first] = failures;
    const nobodyAnswered =
      failures.length === asked.length && !failures.some(({ error }) => isOfPlace(error));
    if (first !== undefined && nobodyAnswered) throw first.error;
    return { found, failures };
  };
}

const isOfPlace = ({ scope }: PlatformError) => scope === 'place' || scope === 'request';

/** A place may be too slow by itself; two in a row that do not answer are the platform's trouble. */
function endsAll({ scope }: PlatformError, before: PlatformError | null): boolean {
  return scope === 'credential' || (scope === 'platform' && before?.scope === 'platform');
}

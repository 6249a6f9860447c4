import {
  type CallOptions,
  type FoundRepository,
  type PlaceFailure,
  PlatformError,
  type RepositoryFinder,
} from '@agent/platforms';
import type { PlaceSettings } from './place-settings.ts';
import {
  findKnown,
  findListed,
  type ListedOwner,
  listOwners,
  listPatterns,
  type PlaceSelection,
  selectPlaces,
} from './select-places.ts';

/** Search for the places that patterns of one platform name. */
export interface PlaceSearch {
  /** Places as they are known now; asks nobody. */
  readonly selection: () => PlaceSelection;
  /** Repositories as they were listed last, whatever the patterns choose. */
  readonly listed: () => readonly Asked[];
  /** Tells whether it is known what the patterns that name this path find: each was answered, and is not overdue. */
  readonly isSettled: (path: string) => boolean;
  /**
   * Asks for what is due, and says what could not be asked: what was known of that stays.
   * @returns the patterns that failed, or that find too much
   */
  readonly refresh: (options?: CallOptions) => Promise<readonly PlaceFailure[]>;
  /** Makes all due. */
  readonly expire: () => void;
}

export interface PlaceSearchOptions {
  /** Undefined where the platform lists no repositories. */
  readonly finder: RepositoryFinder | undefined;
  readonly readSettings: () => PlaceSettings;
  /** Name of its section in the configuration: `platforms.github`. */
  readonly section: string;
  /** Repositories that an earlier process was told of. Default none. */
  readonly known?: readonly ListedOwner[] | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Asked extends ListedOwner {
  /** Time of the next question. */
  readonly nextAt: number;
  /** Null where the last question was answered. */
  readonly error: PlatformError | null;
}

/** Longest time without a question after one that failed. */
const retryMs = 60_000;

/** Creates it. Nothing is asked before `refresh`. */
export function createPlaceSearch({
  finder,
  readSettings,
  section,
  known = [],
  now,
}: PlaceSearchOptions): PlaceSearch {
  let asked: readonly Asked[] = known.map((one) => ({ ...one, nextAt: 0, error: null }));
  let isExpired = false;
  let chosen: {
    readonly by: PlaceSettings;
    readonly of: readonly Asked[];
    readonly made: PlaceSelection;
  } | null = null;
  const selection = (): PlaceSelection => {
    const by = readSettings();
    if (chosen?.by !== by || chosen.of !== asked) chosen = { by, of: asked, made: selectPlaces(by, asked) };
    return chosen.made;
  };
  const askAll = async (signal: AbortSignal | undefined): Promise<void> => {
    const fresh = isExpired;
    isExpired = false;
    const next: Asked[] = [];
    let ending: PlatformError | null = null;
    for (const query of listOwners(readSettings())) {
      const before = findListed(asked, query);
      if (before !== undefined && !fresh && before.nextAt > now()) next.push(before);
      else {
        // What a failed question was to show at once is still to be shown.
        const isRetry = before !== undefined && before.error !== null;
        const answer: Asked = await askOwner({ ...query, fresh: fresh || isRetry, ending, signal });
        if (answer.error?.scope === 'credential' || answer.error?.scope === 'platform') ending = answer.error;
        next.push(answer);
      }
    }
    if (next.length !== asked.length || next.some((one, index) => one !== asked[index])) asked = next;
  };
  const askOwner = async ({
    fresh,
    ending,
    signal,
    ...query
  }: Pick<ListedOwner, 'owner' | 'subgroups'> & {
    readonly fresh: boolean;
    readonly ending: PlatformError | null;
  } & CallOptions): Promise<Asked> => {
    const intervalMs = readSettings().patterns.refresh_seconds * 1_000;
    const known = findKnown(asked, query)?.repositories ?? [];
    try {
      if (finder === undefined) throw noFinder(section);
      if (ending !== null) throw ending;
      const repositories = await listSurely(finder, { ...query, fresh, signal }, known);
      return { ...query, repositories, nextAt: now() + intervalMs, error: null };
    } catch (error) {
      signal?.throwIfAborted();
      if (!PlatformError.isInstance(error)) throw error;
      return { ...query, repositories: known, nextAt: now() + Math.min(intervalMs, retryMs), error };
    }
  };
  return {
    selection,
    listed: () => asked,
    isSettled: (path) =>
      listPatterns(readSettings())
        .filter(({ matches }) => matches(path))
        .every((pattern) => {
          const one = findListed(asked, pattern);
          const isKnown = one !== undefined && (one.error === null || one.repositories.length > 0);
          return isKnown && one.nextAt > now();
        }),
    refresh: async ({ signal } = {}) => {
      await askAll(signal);
      return listFailures(selection(), { section, asked, settings: readSettings() });
    },
    expire: () => {
      isExpired = true;
    },
  };
}

/** One that was there and is not listed is asked for once more: a page may have moved on while the list was read. */
async function listSurely(
  finder: RepositoryFinder,
  query: Parameters<RepositoryFinder['listRepositories']>[0],
  known: readonly FoundRepository[],
): Promise<readonly FoundRepository[]> {
  const listed = await finder.listRepositories(query);
  const ids = new Set(listed.map(({ id }) => id));
  if (known.every(({ id }) => ids.has(id))) return listed;
  const again = await finder.listRepositories({ ...query, fresh: false });
  const both = new Map([...listed, ...again].map((one) => [one.id, one]));
  return [...both.values()];
}

function listFailures(
  { beyond, found }: PlaceSelection,
  {
    section,
    asked,
    settings,
  }: { readonly section: string; readonly asked: readonly Asked[]; readonly settings: PlaceSettings },
): readonly PlaceFailure[] {
  const failures = listPatterns(settings).flatMap((pattern) => {
    const error = findListed(asked, pattern)?.error ?? null;
    return error === null ? [] : [{ place: pattern.text, error }];
  });
  if (beyond === 0) return failures;
  const patterns = listPatterns(settings).map(({ text }) => text);
  const message = `${patterns.join(', ')} matches ${found.length + beyond} repositories, but ${section}.patterns.max is ${settings.patterns.max}. The ${beyond} newest are ignored. Raise the limit, narrow the pattern, or exclude some repositories.`;
  return [
    ...failures,
    { place: patterns.join(', '), error: new PlatformError(message, { code: 'invalid' }) },
  ];
}

function noFinder(section: string): PlatformError {
  const message = `${section} contains a pattern for repositories, but its adapter cannot list repositories. Name them one by one.`;
  return new PlatformError(message, { code: 'invalid' });
}

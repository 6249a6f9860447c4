import {
  type CallOptions,
  type PlaceFailure,
  type Platform,
  type TaskKey,
  toRepositoryName,
} from '@agent/platforms';
import type { StorageNotes } from '@agent/run-store';
import type { RunLogger } from '../host/ports.ts';
import type { TaskTrigger } from '../triggers/task-trigger.ts';
import { listPagePaths } from '../triggers/thread-place.ts';
import { readKeptPlaces, readNoticedPlaces, writeKeptPlaces, writeNoticedPlaces } from './kept-places.ts';
import { createPlaceSearch, type PlaceSearch } from './place-search.ts';
import type { PlaceSettings } from './place-settings.ts';
import type { PlatformEntry } from './platform-entry.ts';
import type { BuiltInSection } from './section.ts';
import { createExclusion, listPatterns, type PlaceSelection } from './select-places.ts';

/** A thread, as far as it says where it is. */
export interface PlacedThread {
  readonly key: TaskKey;
  readonly url: string;
}

/** Places of one platform that tasks come from: those that the configuration names now, and those that its patterns find. */
export interface Places {
  readonly list: () => readonly string[];
  /** Tells whether the configuration names this path now, by itself or by a pattern. Makes no request. */
  readonly takesFrom: (path: string) => boolean;
  /** Tells whether a thread is one of a place that was named or found earlier, and is not any more. */
  readonly isRemoved: (thread: PlacedThread) => boolean;
  /** Makes the search for what patterns find possible, once the platform is there. */
  readonly searchOn: (platform: Pick<Platform, 'host' | 'repositories'>) => Promise<void>;
  /** The same trigger, which asks what patterns find before it lists what waits there. */
  readonly searchedBy: (trigger: TaskTrigger) => TaskTrigger;
}

/** Places of all platforms, for whoever has them asked for anew. */
export interface PlaceBook {
  readonly open: (platform: string, options: OpenPlacesOptions) => Places;
  /** Has patterns ask anew at the next poll. */
  readonly expire: () => void;
  /** Hears of a repository that a webhook came from: one that a pattern names and did not find is asked for at the next poll. */
  readonly notice: (platform: string, path: string) => void;
}

export interface OpenPlacesOptions {
  readonly read: () => PlaceSettings;
  /** Keeps what was found last, for `status` and the next process. */
  readonly notes: Pick<StorageNotes, 'read' | 'write'>;
  readonly logger: Pick<RunLogger, 'info' | 'warn'>;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates it.
 *
 * @example
 * const book = createPlaceBook();
 * const places = book.open('github', { read: () => settings, notes, logger });
 */
export function createPlaceBook(): PlaceBook {
  const opened = new Map<string, { readonly expire: () => void; readonly notice: (path: string) => void }>();
  return {
    open: (platform, options) => {
      const { expire, notice, ...places } = openPlaces(platform, options);
      opened.set(platform, { expire, notice });
      return places;
    },
    expire: () => {
      for (const { expire } of opened.values()) expire();
    },
    notice: (platform, path) => opened.get(platform)?.notice(path),
  };
}

/** Reads the places of a section; the same section gives the same answer. */
export function createPlaceReader(
  entry: Pick<PlatformEntry<BuiltInSection>, 'listPlaces'>,
  readSection: () => BuiltInSection,
): () => PlaceSettings {
  let last: { readonly section: BuiltInSection; readonly settings: PlaceSettings } | null = null;
  return () => {
    const section = readSection();
    const { exclude, patterns } = section;
    if (last?.section !== section)
      last = { section, settings: { entries: entry.listPlaces(section), exclude, patterns } };
    return last.settings;
  };
}

function openPlaces(platform: string, options: OpenPlacesOptions) {
  const { read, notes, logger, now = Date.now } = options;
  const known = new Set<string>();
  const noticed = new Set<string>();
  const memory = createFoundMemory();
  let host = '';
  let search: PlaceSearch = createPlaceSearch({
    ...{ finder: undefined, readSettings: read, section: `platforms.${platform}`, now },
  });
  const list = (): readonly string[] => {
    const { places } = search.selection();
    for (const place of places) known.add(place.toLowerCase());
    return places;
  };
  list();
  /** True for a place that a pattern names and that is neither known nor was noticed. */
  const notice = (path: string): boolean => {
    const name = path.toLowerCase();
    const isFound = listPatterns(read()).some(({ matches }) => matches(name));
    const isListed = list().some((place) => place.toLowerCase() === name);
    if (!isFound || isListed || noticed.has(name)) return false;
    // A fork or an archived one is named, too: one question is enough for each.
    noticed.add(name);
    search.expire();
    return true;
  };
  const refresh = async ({ signal }: CallOptions): Promise<readonly PlaceFailure[]> => {
    const before = search.selection();
    if (before.patterns.length > 0) for (const path of await readNoticedPlaces(notes, platform)) notice(path);
    const failures = await search.refresh({ signal });
    const selection = search.selection();
    memory.add(selection);
    if (selection !== before) {
      logChange(logger, { platform, before, selection });
      await keep(selection).catch((err: unknown) =>
        logger.warn({ platform, err }, 'failed to save repositories matched by patterns'),
      );
    }
    return failures;
  };
  const keep = async ({ patterns, beyond }: PlaceSelection): Promise<void> => {
    if (patterns.length === 0) return writeKeptPlaces(notes, platform, null);
    const owners = search.listed();
    // Where nobody answered, what was kept stays as it is.
    if (owners.every(({ error }) => error !== null)) return;
    const askedAt = new Date(now()).toISOString();
    await writeKeptPlaces(notes, platform, { host, patterns, beyond, askedAt, owners });
  };
  return {
    list,
    takesFrom: (path: string): boolean => {
      const name = path.toLowerCase();
      const isNamed =
        list().some((place) => place.toLowerCase() === name) ||
        listPatterns(read()).some(({ matches }) => matches(name));
      return isNamed && !createExclusion(read())(name);
    },
    isRemoved: ({ url, key }: PlacedThread): boolean => {
      const places = new Set(list().map((place) => place.toLowerCase()));
      const isExcluded = createExclusion(read());
      // The longest path counts: a subgroup may be called as another group is.
      for (const path of listPagePaths(url.toLowerCase())) {
        if (isExcluded(path)) return true;
        if (places.has(path) || !search.isSettled(path)) return false;
        if (known.has(path)) return true;
      }
      return memory.hasLeft(key, search.selection());
    },
    searchOn: async (at: Pick<Platform, 'host' | 'repositories'>): Promise<void> => {
      const kept = await readKeptPlaces(notes, platform);
      host = at.host;
      search = createPlaceSearch({
        ...{ finder: at.repositories, readSettings: read, section: `platforms.${platform}`, now },
        known: kept?.host === host ? kept.owners : [],
      });
      list();
      memory.add(search.selection());
    },
    searchedBy: (trigger: TaskTrigger): TaskTrigger => ({
      ...trigger,
      listWaiting: async (call = {}) => {
        const failures = await refresh(call);
        const [first] = failures;
        if (first !== undefined && first.error.scope !== 'place' && list().length === 0) throw first.error;
        const waiting = await trigger.listWaiting(call);
        return { ...waiting, failures: [...failures, ...waiting.failures] };
      },
    }),
    expire: () => {
      noticed.clear();
      search.expire();
    },
    notice: (path: string): void => {
      // The process that looks may be another one.
      if (notice(path))
        void writeNoticedPlaces(notes, platform, noticed).catch((err: unknown) =>
          logger.warn({ platform, err }, 'failed to announce repository of webhook to polling process'),
        );
    },
  };
}

/** Remembers what patterns found, by the names that keys of threads have: what was given to another owner was theirs, and is not. */
function createFoundMemory() {
  const names = new Set<string>();
  const namesOf = ({ found }: PlaceSelection) => found.flatMap(({ id, path }) => [id, path.toLowerCase()]);
  return {
    add: (selection: PlaceSelection): void => {
      for (const name of namesOf(selection)) names.add(name);
    },
    hasLeft: (key: TaskKey, selection: PlaceSelection): boolean => {
      const name = toRepositoryName(key);
      return names.has(name) && !namesOf(selection).includes(name);
    },
  };
}

function logChange(
  logger: Pick<RunLogger, 'info'>,
  {
    platform,
    before,
    selection,
  }: { readonly platform: string; readonly before: PlaceSelection; readonly selection: PlaceSelection },
): void {
  const earlier = new Map(before.found.map(({ id, path }) => [id, path]));
  const now = new Map(selection.found.map(({ id, path }) => [id, path]));
  const appeared = selection.found.filter(({ id }) => !earlier.has(id)).map(({ path }) => path);
  const gone = before.found.filter(({ id }) => !now.has(id)).map(({ path }) => path);
  const renamed = selection.found.flatMap(({ id, path }) => {
    const former = earlier.get(id) ?? path;
    return former === path ? [] : [`${former} → ${path}`];
  });
  if (appeared.length + gone.length + renamed.length === 0) return;
  logger.info(
    { platform, found: selection.found.length, appeared, gone, renamed },
    'updated repositories matched by patterns',
  );
}

import { type FoundRepository, isPlacePattern, parsePlacePattern } from '@agent/platforms';
import { listNames, type PlaceSettings } from './place-settings.ts';

/** Repositories of one owner, as they were listed last. */
export interface ListedOwner {
  readonly owner: string;
  readonly subgroups: boolean;
  readonly repositories: readonly FoundRepository[];
}

/** Places that tasks come from, and what the patterns had to do with it. */
export interface PlaceSelection {
  /** Names that the settings have, then what patterns find. */
  readonly places: readonly string[];
  /** Part of them that patterns find. */
  readonly found: readonly FoundRepository[];
  /** Patterns, each with how many repositories it finds. */
  readonly patterns: readonly { readonly text: string; readonly found: number }[];
  /** Number of repositories that patterns find beyond the maximum. */
  readonly beyond: number;
}

/**
 * Chooses what the patterns find among what was listed: what takes work, no fork unless they are wanted, nothing that is excluded. The
 * oldest are chosen first, so that a new one never takes the place of another.
 */
export function selectPlaces(settings: PlaceSettings, listed: readonly ListedOwner[]): PlaceSelection {
  const { entries, patterns: rules } = settings;
  const named = listNames(entries);
  const isNamed = new Set(named.map((name) => name.toLowerCase()));
  const isExcluded = createExclusion(settings);
  const byId = new Map<string, FoundRepository>();
  const patterns = listPatterns(settings).map((pattern) => {
    const found = findKnown(listed, pattern)?.repositories.filter(
      ({ path, isActive, isFork }) =>
        isActive && (rules.forks || !isFork) && pattern.matches(path) && !isExcluded(path),
    );
    for (const one of found ?? []) if (!isNamed.has(one.path.toLowerCase())) byId.set(one.id, one);
    return { text: pattern.text, found: found?.length ?? 0 };
  });
  const all = [...byId.values()].toSorted((one, other) => Number(one.id) - Number(other.id));
  const found = all.slice(0, rules.max);
  const paths = found.map(({ path }) => path).sort();
  return { places: [...named, ...paths], found, patterns, beyond: all.length - found.length };
}

/** Creates the test of what no pattern finds. */
export function createExclusion({ exclude }: Pick<PlaceSettings, 'exclude'>): (path: string) => boolean {
  const excluded = exclude.map(parsePlacePattern);
  return (path) => excluded.some(({ matches }) => matches(path));
}

/** Finds what was listed for a pattern; undefined where nothing was. */
export function findListed<Listed extends Pick<ListedOwner, 'owner' | 'subgroups'>>(
  listed: readonly Listed[],
  { owner, subgroups }: Pick<ListedOwner, 'owner' | 'subgroups'>,
): Listed | undefined {
  return listed.find((one) => one.owner.toLowerCase() === owner.toLowerCase() && one.subgroups === subgroups);
}

/** The same; where it was not asked for, what is known of the owner with or without subgroups. */
export function findKnown<Listed extends Pick<ListedOwner, 'owner' | 'subgroups'>>(
  listed: readonly Listed[],
  { owner, subgroups }: Pick<ListedOwner, 'owner' | 'subgroups'>,
): Listed | undefined {
  return findListed(listed, { owner, subgroups }) ?? findListed(listed, { owner, subgroups: !subgroups });
}

/** Lists the patterns among the entries. */
export function listPatterns({
  entries,
}: Pick<PlaceSettings, 'entries'>): readonly ReturnType<typeof parsePlacePattern>[] {
  return entries.filter(isPlacePattern).map(parsePlacePattern);
}

/** Lists the owners whose repositories have to be listed for these patterns, each once. */
export function listOwners(
  settings: Pick<PlaceSettings, 'entries'>,
): readonly Pick<ListedOwner, 'owner' | 'subgroups'>[] {
  const owners: Pick<ListedOwner, 'owner' | 'subgroups'>[] = [];
  for (const { owner, subgroups } of listPatterns(settings))
    if (findListed(owners, { owner, subgroups }) === undefined) owners.push({ owner, subgroups });
  return owners;
}

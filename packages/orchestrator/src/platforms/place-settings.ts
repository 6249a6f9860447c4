import { findPlaceMistake, isPlacePattern, type PlaceLanguage, parsePlacePattern } from '@agent/platforms';
import { seconds } from '@agent/workspace/config';
import { z } from 'zod';

/** Rules of what the patterns of one platform find. */
const patterns = z
  .strictObject({
    /** Repositories that all patterns of the platform may find together; what comes beyond is left, and said. */
    max: z.number().int().min(1).max(5_000).default(200),
    /** True to work in forks, too. */
    forks: z.boolean().default(false),
    /** Seconds between two questions for what there is. */
    refresh_seconds: seconds.default(600),
  })
  .prefault({});

/** Places that tasks come from, as a section of the configuration names them. */
export interface PlaceSettings {
  /** Names of places, and patterns. */
  readonly entries: readonly string[];
  /** Names and patterns of places that no pattern finds. */
  readonly exclude: readonly string[];
  readonly patterns: z.infer<typeof patterns>;
}

/** Keys of a section for what its patterns find. */
export function patternShape(language: PlaceLanguage) {
  return { exclude: placeList(language).default([]), patterns };
}

/** A list of names and patterns, in the words of a platform. */
export function placeList(language: PlaceLanguage) {
  return z.array(
    z.string().superRefine((entry, context) => {
      const message = findPlaceMistake(entry, language);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
  );
}

/** Lists the names among these entries. */
export function listNames(entries: readonly string[]): readonly string[] {
  return entries.filter((entry) => !isPlacePattern(entry));
}

/** Picks the entry that says best whose places they are: a name, else a pattern. */
export function pickPlace(entries: readonly string[]): string {
  return listNames(entries)[0] ?? entries[0] ?? '';
}

/** Finds the first name that is excluded, too, and says what to do; null where there is none. */
export function findExcludedName({ entries, exclude }: Omit<PlaceSettings, 'patterns'>): string | null {
  for (const entry of listNames(entries)) {
    const by = exclude.find((one) => isRight(one) && parsePlacePattern(one).matches(entry));
    if (by !== undefined)
      return `${JSON.stringify(entry)} is listed and also excluded by ${JSON.stringify(by)}. Remove one of them.`;
  }
  return null;
}

/** Tells whether an entry can be read; its mistake was said already. */
function isRight(entry: string): boolean {
  return findPlaceMistake(entry, { noun: 'repository', subgroups: true }) === null;
}

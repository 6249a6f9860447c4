import { join } from 'node:path';
import { ContextStoreError } from '../context-store-error.ts';
import { listNames } from './list-run-directories.ts';
import { isRunDirectory, isUuid } from './run-directory.ts';
import type { RunPlaces } from './run-places.ts';

/** Where a run lies. */
export type RunPlace = 'running' | 'paused' | 'completed';

export interface FoundRun {
  readonly uuid: string;
  readonly place: RunPlace;
  readonly directory: string;
}

const placeNames: readonly RunPlace[] = ['running', 'paused', 'completed'];
const minPrefixChars = 4;

/**
 * Finds a run by its uuid, or by the beginning of it.
 * @throws {ContextStoreError} `invalid` when there is none, or more than one
 */
export async function findRun(places: RunPlaces, nameOrPrefix: string): Promise<FoundRun> {
  const prefix = requirePrefix(nameOrPrefix);
  const found: FoundRun[] = [];
  for (const place of placeNames) {
    for (const uuid of await listCandidates(places[place], prefix)) {
      found.push({ uuid, place, directory: join(places[place], uuid) });
    }
  }
  const [first, second] = found;
  if (first === undefined) throw isUnknown(prefix, places);
  if (second === undefined) return first;
  const names = found.slice(0, 5).map(({ uuid, place }) => `${uuid} (${place})`);
  const message = `More than one run begins with "${prefix}": ${names.join(', ')}. Give more of the uuid.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

function requirePrefix(text: string): string {
  const prefix = text.toLowerCase();
  if (prefix.length >= minPrefixChars && prefix.length <= 36 && /^[0-9a-f-]+$/.test(prefix)) return prefix;
  const message = `${JSON.stringify(text)} is no beginning of a run's uuid. Give at least ${minPrefixChars} of its characters, as "status" shows them.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

async function listCandidates(parent: string, prefix: string): Promise<readonly string[]> {
  // A whole uuid needs no listing, however many runs there are.
  if (isUuid(prefix)) return (await isRunDirectory(join(parent, prefix))) ? [prefix] : [];
  return (await listNames(parent)).filter((name) => name.startsWith(prefix) && isUuid(name));
}

function isUnknown(prefix: string, places: RunPlaces): ContextStoreError {
  const where = placeNames.map((place) => `"${places[place]}"`).join(', ');
  return new ContextStoreError(`No run begins with "${prefix}" in ${where}. "status" lists the runs.`, {
    code: 'invalid',
  });
}

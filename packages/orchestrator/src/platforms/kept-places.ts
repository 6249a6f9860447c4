import type { StorageNotes } from '@agent/run-store';
import { z } from 'zod';
import { builtInNames } from './names.ts';
import type { ListedOwner, PlaceSelection } from './select-places.ts';

const keptSchema = z.object({
  host: z.string(),
  patterns: z.array(z.object({ text: z.string(), found: z.number() })),
  beyond: z.number(),
  asked_at: z.string(),
  owners: z.array(
    z.object({
      owner: z.string(),
      subgroups: z.boolean(),
      repositories: z.array(
        z.object({ id: z.string(), path: z.string(), is_fork: z.boolean(), is_active: z.boolean() }),
      ),
    }),
  ),
});

/** Findings of one platform's patterns at the last question, as they are kept beside the runs. */
export interface KeptPlaces extends Pick<PlaceSelection, 'patterns' | 'beyond'> {
  readonly host: string;
  /** Time (ISO 8601) of the last answer. */
  readonly askedAt: string;
  readonly owners: readonly ListedOwner[];
}

const noteOf = (platform: string) => `places/${platform}`;

/** Reads what was kept; null where nothing was, or nothing that can be read: then it is asked for anew. */
export async function readKeptPlaces(
  notes: Pick<StorageNotes, 'read'>,
  platform: string,
): Promise<KeptPlaces | null> {
  const { data } = keptSchema.safeParse(await notes.read(noteOf(platform)).catch(() => null));
  if (data === undefined) return null;
  const { host, patterns, beyond, asked_at: askedAt } = data;
  const owners = data.owners.map(({ repositories, ...one }) => ({
    ...one,
    repositories: repositories.map(({ is_fork: isFork, is_active: isActive, ...plain }) => ({
      ...plain,
      isFork,
      isActive,
    })),
  }));
  return { host, patterns, beyond, askedAt, owners };
}

/** Lists what the patterns of all platforms found when they were asked last. */
export async function listPatternFindings(notes: Pick<StorageNotes, 'read'>) {
  const read = await Promise.all(
    builtInNames.map(async (platform) => ({ platform, kept: await readKeptPlaces(notes, platform) })),
  );
  return read.flatMap(({ platform, kept }) =>
    (kept?.patterns ?? []).map(({ text: pattern, found }) => ({
      ...{ platform, pattern, found },
      asked_at: kept?.askedAt ?? '',
    })),
  );
}

/** Keeps it; null keeps nothing, where there is no pattern any more. */
export async function writeKeptPlaces(
  notes: Pick<StorageNotes, 'write'>,
  platform: string,
  kept: KeptPlaces | null,
): Promise<void> {
  if (kept === null) return notes.write(noteOf(platform), null);
  const owners = kept.owners.map(({ repositories, owner, subgroups }) => ({
    ...{ owner, subgroups },
    repositories: repositories.map(({ id, path, isFork, isActive }) => ({
      ...{ id, path },
      is_fork: isFork,
      is_active: isActive,
    })),
  }));
  const { host, beyond, askedAt: asked_at } = kept;
  const patterns = kept.patterns.map(({ text, found }) => ({ text, found }));
  await notes.write(noteOf(platform), { host, patterns, beyond, asked_at, owners });
}

const noticedSchema = z.array(z.string()).catch([]);

/** Most places that are told to the process that looks at once: one answer shows them all. */
const maxNoticed = 50;

/** Reads the places that any process heard of and did not know. */
export async function readNoticedPlaces(
  notes: Pick<StorageNotes, 'read'>,
  platform: string,
): Promise<readonly string[]> {
  return noticedSchema.parse(await notes.read(`noticed-places/${platform}`).catch(() => null));
}

/** Tells the process that looks of places that a webhook came from. */
export async function writeNoticedPlaces(
  notes: Pick<StorageNotes, 'write'>,
  platform: string,
  places: Iterable<string>,
): Promise<void> {
  await notes.write(`noticed-places/${platform}`, [...places].slice(-maxNoticed));
}

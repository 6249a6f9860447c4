import { z } from 'zod';
import { ContextStoreError } from './context-store-error.ts';
import type { RunStorage } from './storage.ts';

/** Name of the note that a copy leaves at its source. */
export const movedNote = 'moved';
const movedSchema = z.object({ to: z.string(), at: z.string() });

/** Reads where the runs of a place were copied to last; null where they were not, or came back since. */
export async function readMoved({
  notes,
}: {
  readonly notes: Pick<RunStorage['notes'], 'read'>;
}): Promise<z.infer<typeof movedSchema> | null> {
  return movedSchema.safeParse(await notes.read(movedNote)).data ?? null;
}

/**
 * Refuses a place whose runs were copied to another one: what goes on at both is done twice.
 * @throws {ContextStoreError} `invalid`, saying where the runs are and how to come back
 */
export async function requireNotMoved({
  notes,
  location,
}: Pick<RunStorage, 'location' | 'notes'>): Promise<void> {
  const moved = await readMoved({ notes });
  if (moved === null) return;
  const message = `The runs of ${location} were copied to ${moved.to} at ${moved.at}, and continue there. Name that storage in the configuration. To continue here, copy them back first with "storage migrate". If you abandoned the other storage, delete ${notes.locate(movedNote)}.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

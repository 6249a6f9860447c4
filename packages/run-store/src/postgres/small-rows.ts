import { ContextStoreError } from '../context-store-error.ts';
import { type ControlVerb, opposites, type PauseSignal, type RunControls } from '../controls/run-controls.ts';
import { requireUuid } from '../file/run-directory.ts';
import type { Json } from '../journal-model.ts';
import type { StorageNotes } from '../storage.ts';
import { requireNoteName } from '../storage-names.ts';
import type { Schema } from './schema.ts';

/** Notes as rows of JSON text. */
export function createNoteRows(schema: Schema): StorageNotes {
  const { database, at } = schema;
  const locate = (name: string) => `note "${name}" in ${database.location}, schema ${at}`;

  async function readText(name: string): Promise<string | null> {
    requireNoteName(name);
    const text = `SELECT value FROM ${at}.notes WHERE name = $1`;
    const [row] = await database.query<{ value: string }>(text, [name]);
    return row?.value ?? null;
  }

  /** Null for no row. Tells whether the note said then what the change was made of; what was carried out already counts. */
  async function replace(name: string, before: string | null, after: string | null): Promise<boolean> {
    const changed = await database.query(toReplacement(at, before, after), [
      name,
      ...[before, after].filter((value) => value !== null),
    ]);
    return changed.length > 0 || (await readText(name)) === after;
  }

  return {
    locate,
    read: async (name) => parseNote(await readText(name), locate(name)),
    write: async (name, value) => {
      requireNoteName(name);
      if (value === null)
        return void (await database.query(`DELETE FROM ${at}.notes WHERE name = $1`, [name]));
      const text = `INSERT INTO ${at}.notes (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`;
      await database.query(text, [name, JSON.stringify(value)]);
    },
    change: async (name, change) => {
      for (;;) {
        const before = await readText(name);
        const value = change(parseNote(before, locate(name)));
        const after = value === null ? null : JSON.stringify(value);
        if (after === before || (await replace(name, before, after))) return;
        // Somebody else has changed it in this moment.
      }
    },
  };
}

function toReplacement(at: string, before: string | null, after: string | null): string {
  if (before === null)
    return `INSERT INTO ${at}.notes (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name`;
  const where = 'WHERE name = $1 AND value = $2 RETURNING name';
  return after === null ? `DELETE FROM ${at}.notes ${where}` : `UPDATE ${at}.notes SET value = $3 ${where}`;
}

function parseNote(text: string | null, location: string): Json {
  try {
    return text === null ? null : (JSON.parse(text) as Json);
  } catch (cause) {
    const message = `The ${location} is not the JSON that was written there. Mend it, or remove it.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
}

/** Its name is none that a note can have. */
const pauseName = 'pause signal';

/** The signal that makes everything pause on all hosts. */
export function createPauseRow({ database, at }: Schema, now: () => number): PauseSignal {
  return {
    location: `${database.location}, schema ${at}`,
    isSet: async () =>
      (await database.query(`SELECT FROM ${at}.notes WHERE name = $1`, [pauseName])).length > 0,
    set: async () => {
      const text = `INSERT INTO ${at}.notes (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
      await database.query(text, [pauseName, JSON.stringify(new Date(now()).toISOString())]);
    },
    clear: async () => {
      await database.query(`DELETE FROM ${at}.notes WHERE name = $1`, [pauseName]);
    },
  };
}

/** Requests to runs, from any host. */
export function createControlRows({ database, at }: Schema, now: () => number): RunControls {
  return {
    request: async (uuid, verb) => {
      requireUuid(uuid);
      const text = `WITH taken_back AS (DELETE FROM ${at}.controls WHERE uuid = $1 AND verb = $4)
        INSERT INTO ${at}.controls (uuid, verb, asked_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
      await database.query(text, [uuid, verb, new Date(now()).toISOString(), opposites[verb]]);
    },
    read: async (uuid) => {
      requireUuid(uuid);
      const text = `SELECT verb FROM ${at}.controls WHERE uuid = $1 ORDER BY asked_at, verb`;
      return (await database.query<{ verb: ControlVerb }>(text, [uuid])).map(({ verb }) => verb);
    },
    list: () => database.query(`SELECT uuid, verb FROM ${at}.controls ORDER BY asked_at, uuid, verb`, []),
    remove: async (uuid, verbs) => {
      requireUuid(uuid);
      await database.query(`DELETE FROM ${at}.controls WHERE uuid = $1 AND verb = ANY ($2)`, [uuid, verbs]);
    },
  };
}

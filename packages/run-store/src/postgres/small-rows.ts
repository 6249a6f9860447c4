import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type ControlVerb,
  opposites,
  type PauseSignal,
  type RunControls,
  toName,
} from '../controls/run-controls.ts';
import { parseWritten } from '../disk/stored-values.ts';
import type { Json } from '../journal-model.ts';
import type { StorageAnswers, StorageNotes, StorageSnapshots, StorageUse } from '../storage.ts';
import { requireNoteName, requireUuid } from '../storage-names.ts';
import { wasTaken } from '../store/run-errors.ts';
import type { Writer } from './run-rows.ts';
import type { Schema } from './schema.ts';

interface NoteRow {
  readonly value: string;
  /** Drawn anew with each write: tells a write that was carried out from somebody else's of the same value. */
  readonly version: string;
}

/** Notes as rows of JSON text. */
export function createNoteRows(schema: Schema, drawVersion: () => string = randomUUID): StorageNotes {
  const { database, at } = schema;
  const locate = (name: string) => `note "${name}" in ${schema.location}`;

  async function find(name: string): Promise<NoteRow | null> {
    const text = `SELECT value, version FROM ${at}.notes WHERE name = $1`;
    return (await database.query<NoteRow>(text, [requireNoteName(name)]))[0] ?? null;
  }

  async function put(name: string, value: Json): Promise<void> {
    const text = `INSERT INTO ${at}.notes (name, value, version) VALUES ($1, $2, $3)
      ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, version = EXCLUDED.version`;
    await database.query(text, [requireNoteName(name), JSON.stringify(value), drawVersion()]);
  }

  /** False where the note is another one by now. A removal is a note that says null: it has a version, too. */
  async function replace(name: string, before: NoteRow | null, value: Json): Promise<boolean> {
    const version = drawVersion();
    const given = [name, JSON.stringify(value), version];
    const changed =
      before === null
        ? await database.query(
            `INSERT INTO ${at}.notes (name, value, version) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING name`,
            given,
          )
        : await database.query(
            `UPDATE ${at}.notes SET value = $2, version = $3 WHERE name = $1 AND version = $4 RETURNING name`,
            [...given, before.version],
          );
    return changed.length > 0 || (await find(name))?.version === version;
  }

  return {
    locate,
    read: async (name) => parseNote((await find(name))?.value, locate(name)),
    write: async (name, value) => {
      if (value !== null) return put(name, value);
      await database.query(`DELETE FROM ${at}.notes WHERE name = $1`, [requireNoteName(name)]);
    },
    change: async (name, change) => {
      for (let isChanged = false; !isChanged; ) {
        const before = await find(name);
        isChanged = await replace(name, before, change(parseNote(before?.value, locate(name))));
      }
    },
  };
}

function parseNote(text: string | undefined, location: string): Json {
  return text === undefined ? null : parseWritten(text, `The ${location}`);
}

/** Its name is none that a note can have. */
export const pauseName = 'pause signal';

const pauseSchema = z.object({ at: z.number(), by: z.string().nullable() });

/** The signal that makes everything pause on all hosts. */
export function createPauseRow({ database, at, location }: Schema, now: () => number): PauseSignal {
  return {
    location,
    isSet: async () =>
      (await database.query(`SELECT FROM ${at}.notes WHERE name = $1`, [pauseName])).length > 0,
    read: async () => {
      const text = `SELECT value FROM ${at}.notes WHERE name = $1`;
      const [found] = await database.query<{ value: string }>(text, [pauseName]);
      return found === undefined ? null : pauseSchema.parse(JSON.parse(found.value));
    },
    set: async ({ by } = {}) => {
      const text = `INSERT INTO ${at}.notes (name, value, version) VALUES ($1, $2, $1) ON CONFLICT DO NOTHING`;
      await database.query(text, [pauseName, JSON.stringify({ at: now(), by: toName(by) })]);
    },
    clear: async () => {
      await database.query(`DELETE FROM ${at}.notes WHERE name = $1`, [pauseName]);
    },
  };
}

/** Requests to runs, from any host. */
export function createControlRows({ database, at }: Schema, now: () => number): RunControls {
  return {
    request: async (uuid, verb, { by } = {}) => {
      requireUuid(uuid);
      const text = `WITH taken_back AS (DELETE FROM ${at}.controls WHERE uuid = $1 AND verb = $4)
        INSERT INTO ${at}.controls (uuid, verb, asked_at, asked_by) VALUES ($1, $2, $3, $5) ON CONFLICT DO NOTHING`;
      const askedAt = new Date(now()).toISOString();
      await database.query(text, [uuid, verb, askedAt, opposites[verb], toName(by)]);
    },
    read: async (uuid) => {
      requireUuid(uuid);
      const text = `SELECT verb FROM ${at}.controls WHERE uuid = $1 ORDER BY asked_at, verb`;
      return (await database.query<{ verb: ControlVerb }>(text, [uuid])).map(({ verb }) => verb);
    },
    list: () =>
      database.query(
        `SELECT uuid, verb, asked_by AS by FROM ${at}.controls ORDER BY asked_at, uuid, verb`,
        [],
      ),
    remove: async (uuid, verbs) => {
      requireUuid(uuid);
      await database.query(`DELETE FROM ${at}.controls WHERE uuid = $1 AND verb = ANY ($2)`, [uuid, verbs]);
    },
  };
}

/** Snapshots of runs' files as rows: the process that opened a run last replaces its snapshot, anybody that of one that ended. */
export function createSnapshotRows(
  { database, at }: Schema,
  { listOpenings }: { /** Openings by this process. */ readonly listOpenings: () => readonly Writer[] },
): StorageSnapshots {
  return {
    keep: async (uuid, { about, bundle }) => {
      requireUuid(uuid);
      const writer = listOpenings().findLast((one) => one.uuid === uuid);
      const kept = await database.query(
        `INSERT INTO ${at}.snapshots AS kept (uuid, about, bundle)
         SELECT uuid, $2, $3::bytea FROM ${at}.runs
         WHERE uuid = $1 AND (place <> 'running' OR
           (owner = $4::bigint AND EXISTS (SELECT FROM ${at}.members WHERE number = $5::bigint)))
         ON CONFLICT (uuid) DO UPDATE SET about = EXCLUDED.about, bundle = coalesce(EXCLUDED.bundle, kept.bundle)
         RETURNING uuid`,
        [uuid, JSON.stringify(about), bundle, writer?.owner ?? null, writer?.member ?? null],
      );
      if (kept.length === 0) throw wasTaken(uuid);
    },
    read: async (uuid) => {
      requireUuid(uuid);
      const [row] = await database.query<{ about: string; bundle: Uint8Array | null }>(
        `SELECT about, bundle FROM ${at}.snapshots WHERE uuid = $1`,
        [uuid],
      );
      return row === undefined ? null : { about: JSON.parse(row.about) as Json, bundle: row.bundle };
    },
    remove: async (uuid) => {
      requireUuid(uuid);
      await database.query(`DELETE FROM ${at}.snapshots WHERE uuid = $1`, [uuid]);
    },
  };
}

/** Reports as rows, one for each process: one statement replaces its own, removes what is too old and reads the others. */
export function createUseRows({ database, at }: Schema, process: string = randomUUID()): StorageUse {
  return {
    exchange: (key, report) =>
      database.query<{ ageMs: number; report: string }>(
        `WITH own AS (
           INSERT INTO ${at}.use_reports (key, process, report, reported_at)
           VALUES ($1, $2::uuid, $3, clock_timestamp())
           ON CONFLICT (key, process) DO UPDATE SET report = EXCLUDED.report, reported_at = EXCLUDED.reported_at
         ), old AS (
           DELETE FROM ${at}.use_reports WHERE (key, process) IN (
             SELECT key, process FROM ${at}.use_reports
             WHERE process <> $2::uuid AND reported_at < clock_timestamp() - interval '1 hour'
             FOR UPDATE SKIP LOCKED
           )
         )
         SELECT (extract(epoch FROM clock_timestamp() - reported_at) * 1000)::float8 AS "ageMs", report
         FROM ${at}.use_reports
         WHERE key = $1 AND process <> $2::uuid AND reported_at >= clock_timestamp() - interval '1 hour'`,
        [key, process, report],
      ),
  };
}

/** Bounds of what is kept. */
export interface AnswerRowsOptions {
  /** Bytes of all answers of the place, each counted as 8 KiB at least. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Bytes that an answer counts at least, so that small ones are bounded in number. */
const leastBytes = 8_192;

/**
 * Answers as rows, on an unlogged table: after a crash of the server there are none. One that nobody read for a day goes, and so
 * do those read longest ago where all together are too large.
 */
export function createAnswerRows(
  { database, at }: Schema,
  { maxBytes = 64 * 1_048_576 }: AnswerRowsOptions = {},
): StorageAnswers {
  return {
    read: async (key, { knownTag }) => {
      const [row] = await database.query<{ tag: string; content: Uint8Array | null }>(
        `WITH used AS (
           UPDATE ${at}.answers SET used_at = clock_timestamp()
           WHERE key = $1 AND used_at < clock_timestamp() - interval '1 hour'
         )
         SELECT tag, CASE WHEN tag = $2 THEN NULL ELSE content END AS content FROM ${at}.answers WHERE key = $1`,
        [key, knownTag],
      );
      return row ?? null;
    },
    keep: async (key, { tag, content }) => {
      await database.query(
        `WITH gone AS (
           DELETE FROM ${at}.answers WHERE key IN (
             SELECT key FROM ${at}.answers WHERE key IN (
               SELECT key FROM (
                 SELECT key, used_at, sum(greatest(octet_length(content), ${leastBytes})) OVER (ORDER BY used_at DESC, key) AS total
                 FROM ${at}.answers WHERE key <> $1
               ) AS ranked
               WHERE used_at < clock_timestamp() - interval '1 day' OR total > $4::bigint
             )
             FOR UPDATE SKIP LOCKED
           )
         )
         INSERT INTO ${at}.answers AS kept (key, tag, content, used_at) VALUES ($1, $2, $3::bytea, clock_timestamp())
         ON CONFLICT (key) DO UPDATE SET tag = EXCLUDED.tag, content = EXCLUDED.content, used_at = EXCLUDED.used_at
         WHERE kept.tag <> EXCLUDED.tag`,
        [key, tag, content, maxBytes],
      );
    },
  };
}

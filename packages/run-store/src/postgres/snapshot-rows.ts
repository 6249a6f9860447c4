import { requireUuid } from '../file/run-directory.ts';
import type { Json } from '../journal-model.ts';
import type { StorageSnapshots } from '../storage.ts';
import { type Writer, wasTaken } from './run-rows.ts';
import type { Schema } from './schema.ts';

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

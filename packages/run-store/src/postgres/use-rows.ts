import { randomUUID } from 'node:crypto';
import type { StorageUse } from '../storage.ts';
import type { Schema } from './schema.ts';

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

import type { Logger } from '@agent/text';
import { toFirstKeptDay } from '../index/indexed-run.ts';
import type { StorageUpkeep } from '../storage.ts';
import { checkRows } from './check-rows.ts';
import { toIndexEntry } from './index-rows.ts';
import { readRowFacts } from './record-rows.ts';
import type { Schema } from './schema.ts';

/** Runs that are removed by one statement, so that none takes long. */
const batchRuns = 100;

interface UpkeepOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger | null;
}

/** Removes what is kept no longer, and builds the index anew. */
export function createUpkeepRows(schema: Schema, { now, logger }: UpkeepOptions): StorageUpkeep {
  const { database, at } = schema;

  /** Removes runs that ended, with all that belongs to them, a batch at a time. `which`: a condition of `$1`, `$2`, … */
  async function remove(which: string, values: readonly unknown[]): Promise<readonly string[]> {
    const removed: string[] = [];
    for (let isMore = true; isMore; ) {
      const rows = await database.query<{ uuid: string }>(
        `WITH gone AS (
           SELECT uuid FROM ${at}.runs WHERE place = 'completed' AND ${which}
           ORDER BY ended_at LIMIT ${batchRuns} FOR UPDATE SKIP LOCKED
         ),
         lines AS (DELETE FROM ${at}.lines USING gone WHERE lines.uuid = gone.uuid),
         cut AS (DELETE FROM ${at}.cut_lines USING gone WHERE cut_lines.uuid = gone.uuid),
         state AS (DELETE FROM ${at}.state USING gone WHERE state.uuid = gone.uuid),
         controls AS (DELETE FROM ${at}.controls USING gone WHERE controls.uuid = gone.uuid)
         DELETE FROM ${at}.runs USING gone WHERE runs.uuid = gone.uuid RETURNING runs.uuid`,
        values,
      );
      removed.push(...rows.map(({ uuid }) => uuid));
      isMore = rows.length === batchRuns;
    }
    return removed;
  }

  return {
    verify: () => checkRows(schema),
    cleanUp: async ({ keepDays }) => {
      const removed = await remove('ended_at < $1', [toFirstKeptDay(now(), keepDays)]);
      if (removed.length > 0) logger?.info({ runs: removed.length, keepDays }, 'removed expired runs');
      return removed;
    },
    purge: async ({ taskKeyHash, host }) => {
      const task = [taskKeyHash, host];
      const removed = await remove('task_key_hash = $1 AND host = $2', task);
      const kept = await database.query<{ uuid: string }>(
        `SELECT uuid FROM ${at}.runs WHERE task_key_hash = $1 AND host = $2 ORDER BY created_at`,
        task,
      );
      logger?.info({ taskKeyHash, host, removed: removed.length, kept: kept.length }, 'purged task');
      return { removed, kept: kept.map(({ uuid }) => uuid) };
    },
    rebuildIndex: async () => {
      const text = `SELECT uuid FROM ${at}.runs WHERE place = 'completed'`;
      const ended = await database.query<{ uuid: string }>(text, []);
      for (const { uuid } of ended) {
        const entry = await toIndexEntry(schema, await readRowFacts(schema, uuid));
        await database.query(
          `UPDATE ${at}.runs SET ended_at = $2, indexed = $3, final_summary = $4 WHERE uuid = $1`,
          [uuid, entry.endedAt, entry.indexed, entry.finalSummary],
        );
      }
      return ended.length;
    },
  };
}

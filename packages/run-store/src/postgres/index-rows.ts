import { addRuns, type IndexedRun, type TaskIndex } from '../index/indexed-run.ts';
import { toIndexedRun } from '../index/read-indexed-run.ts';
import type { JsonObject } from '../journal-model.ts';
import { sliceProjectedLine } from '../lines/record-line.ts';
import { pickSummary } from '../lines/summary-line.ts';
import type { KnownFacts } from '../record/run-facts.ts';
import { listLastFacts, type ReadTables } from './record-rows.ts';
import type { Schema } from './schema.ts';

/** End of a run, as its row says it. */
interface IndexEntry {
  /** ISO 8601; its beginning, for a run whose end is unknown. */
  readonly endedAt: string;
  /** The indexed run without its summary, as JSON; null for one that was put away while it was paused. */
  readonly indexed: string | null;
  readonly finalSummary: string | null;
}

/** Makes what the index says of a run that ended. */
export async function toIndexEntry(
  tables: ReadTables,
  { metadata, outcome }: Pick<KnownFacts, 'metadata' | 'outcome'>,
): Promise<IndexEntry> {
  const { uuid } = metadata;
  const lines = await listLastFacts(tables, { uuid, facts: ['summary'], limit: 1 });
  const last = pickSummary(lines.map((line) => sliceProjectedLine(line)));
  const indexed = toIndexedRun(metadata, { ...last, outcome });
  const { finalSummary, ...run } = indexed ?? { finalSummary: null };
  return {
    endedAt: indexed?.completedAt ?? outcome?.finishedAt ?? metadata.createdAt,
    indexed: indexed === null ? null : JSON.stringify(run),
    finalSummary: finalSummary && JSON.stringify(finalSummary),
  };
}

const maxRuns = 50;

/** Finds the runs of a task that ended: each process may. */
export function createIndexRows({ database, at }: Schema): Pick<TaskIndex, 'find' | 'remove'> {
  return {
    find: async ({ taskKeyHash, host }) => {
      const rows = await database.query<{ indexed: string; summary: string | null }>(
        `SELECT indexed, CASE WHEN row_number() OVER newest = 1 THEN final_summary END AS summary
         FROM ${at}.runs WHERE task_key_hash = $1 AND host = $2 AND indexed IS NOT NULL
         WINDOW newest AS (ORDER BY ended_at DESC, created_at DESC, uuid)
         ORDER BY ended_at DESC, created_at DESC, uuid LIMIT ${maxRuns}`,
        [taskKeyHash, host],
      );
      return addRuns([], rows.map(toRun));
    },
    remove: async ({ taskKeyHash, host }, uuid) => {
      await database.query(
        `UPDATE ${at}.runs SET indexed = NULL, final_summary = NULL WHERE uuid = $1 AND task_key_hash = $2 AND host = $3`,
        [uuid, taskKeyHash, host],
      );
    },
  };
}

function toRun({
  indexed,
  summary,
}: {
  readonly indexed: string;
  readonly summary: string | null;
}): IndexedRun {
  const finalSummary = summary === null ? null : (JSON.parse(summary) as JsonObject);
  return { ...(JSON.parse(indexed) as Omit<IndexedRun, 'finalSummary'>), finalSummary };
}

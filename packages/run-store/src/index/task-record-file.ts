import { z } from 'zod';
import { jsonObject, timeText, toCamelCase, toSnakeCase } from '../disk/stored-values.ts';
import { isUuid } from '../storage-names.ts';
import type { IndexedRun } from './indexed-run.ts';

/** Contents of one file of the index: all that is known of the tasks with one hash. */
export interface TaskRecord {
  readonly taskKeyHash: string;
  /** Newest first. */
  readonly runs: readonly IndexedRun[];
}

const count = z.number().int().nonnegative();

const runSchema = z.object({
  uuid: z.string().refine(isUuid, 'not a uuid'),
  host: z.string(),
  task_key: jsonObject,
  task_key_text: z.string(),
  status: z.enum(['completed', 'failed', 'stopped']),
  status_inferred: z.boolean(),
  created_at: timeText,
  completed_at: timeText.nullable(),
  process_id: z.number(),
  hostname: z.string(),
  user: z.string().nullable(),
  llm_provider: z.string().nullable(),
  model: z.string().nullable(),
  context_length: z.number().nullable(),
  llm_call_count: count,
  tool_call_count: count,
  total_tokens: count,
  compression_count: count,
  error_message: z.string().nullable(),
  inherited_from_uuid: z.string().nullable(),
  inheritance_depth: count,
  inheritance_barrier_at: timeText.nullable(),
  final_summary: jsonObject.nullable(),
});

/** Version of the index: of each file, and of the mark that all of it was built. */
export const indexVersion = 1;

const recordSchema = z.object({
  version: z.literal(indexVersion),
  task_key_hash: z.string(),
  runs: z.array(runSchema),
});

/** The text of a file of the index, in as few bytes as JSON needs. */
export function formatTaskRecord({ taskKeyHash, runs }: TaskRecord): string {
  const stored = runs.map((run) => toSnakeCase(runSchema.shape, run));
  return JSON.stringify({ version: indexVersion, task_key_hash: taskKeyHash, runs: stored });
}

/** Finds what would keep a run from being read back once it was written; null when nothing would. */
export function findFault(run: IndexedRun): Error | null {
  return runSchema.safeParse(toSnakeCase(runSchema.shape, run)).error ?? null;
}

/** Reads a file back. @throws when it is none of this version, or belongs to another task: then it is made again from the runs. */
export function parseTaskRecord(json: unknown, taskKeyHash: string): TaskRecord {
  const record = recordSchema.parse(json);
  if (record.task_key_hash !== taskKeyHash) throw new Error(`it belongs to task ${record.task_key_hash}`);
  return { taskKeyHash, runs: record.runs.map((run) => ({ ...toCamelCase(run), taskKeyHash })) };
}

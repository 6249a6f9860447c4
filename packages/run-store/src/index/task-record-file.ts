import { z } from 'zod';
import { jsonObject, timeText } from '../disk/stored-values.ts';
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

type StoredRun = z.infer<typeof runSchema>;

/** The text of a file of the index, in as few bytes as JSON needs. */
export function formatTaskRecord({ taskKeyHash, runs }: TaskRecord): string {
  return JSON.stringify({ version: indexVersion, task_key_hash: taskKeyHash, runs: runs.map(toStored) });
}

/** Finds what would keep a run from being read back once it was written; null when nothing would. */
export function findFault(run: IndexedRun): Error | null {
  return runSchema.safeParse(toStored(run)).error ?? null;
}

/** Reads a file back. @throws when it is none of this version, or belongs to another task: then it is made again from the runs. */
export function parseTaskRecord(text: string, taskKeyHash: string): TaskRecord {
  const record = recordSchema.parse(JSON.parse(text));
  if (record.task_key_hash !== taskKeyHash) throw new Error(`it belongs to task ${record.task_key_hash}`);
  return { taskKeyHash, runs: record.runs.map((run) => fromStored(run, taskKeyHash)) };
}

function toStored(run: IndexedRun): StoredRun {
  return {
    uuid: run.uuid,
    host: run.host,
    task_key: run.taskKey,
    task_key_text: run.taskKeyText,
    status: run.status,
    status_inferred: run.statusInferred,
    created_at: run.createdAt,
    completed_at: run.completedAt,
    process_id: run.processId,
    hostname: run.hostname,
    user: run.user,
    llm_provider: run.llmProvider,
    model: run.model,
    context_length: run.contextLength,
    llm_call_count: run.llmCallCount,
    tool_call_count: run.toolCallCount,
    total_tokens: run.totalTokens,
    compression_count: run.compressionCount,
    error_message: run.errorMessage,
    inherited_from_uuid: run.inheritedFromUuid,
    inheritance_depth: run.inheritanceDepth,
    inheritance_barrier_at: run.inheritanceBarrierAt,
    final_summary: run.finalSummary,
  };
}

function fromStored(run: StoredRun, taskKeyHash: string): IndexedRun {
  return {
    uuid: run.uuid,
    taskKeyHash,
    host: run.host,
    taskKey: run.task_key,
    taskKeyText: run.task_key_text,
    status: run.status,
    statusInferred: run.status_inferred,
    createdAt: run.created_at,
    completedAt: run.completed_at,
    processId: run.process_id,
    hostname: run.hostname,
    user: run.user,
    llmProvider: run.llm_provider,
    model: run.model,
    contextLength: run.context_length,
    llmCallCount: run.llm_call_count,
    toolCallCount: run.tool_call_count,
    totalTokens: run.total_tokens,
    compressionCount: run.compression_count,
    errorMessage: run.error_message,
    inheritedFromUuid: run.inherited_from_uuid,
    inheritanceDepth: run.inheritance_depth,
    inheritanceBarrierAt: run.inheritance_barrier_at,
    finalSummary: run.final_summary,
  };
}

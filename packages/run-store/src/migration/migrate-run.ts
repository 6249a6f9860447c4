import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../disk/replace-file.ts';
import { toIsoTime } from '../disk/to-iso-time.ts';
import { formatMetadata, parseMetadata } from '../file/metadata-file.ts';
import { isRunDirectory, readFileIfThere } from '../file/run-directory.ts';
import { hashTaskKey } from '../hash-task-key.ts';
import { readLastSummary } from '../index/read-last-summary.ts';
import { toJournalFiles } from '../journal/journal-files.ts';
import { formatOutcome } from '../journal/outcome-file.ts';
import type { JsonObject, RunMetadata } from '../run-model.ts';
import type { EarlierTask } from './earlier-tasks.ts';
import type { MigratedRun, MigratedTask, MigrateOptions } from './migration-model.ts';

const jsonObject = z.record(z.string(), z.json()).transform((value) => value as JsonObject);
const identifier = z.union([z.string(), z.number()]);

/** As the specification's sample has it; the program itself wrote `{ type, … }`. */
const sampleKeySchema = z.object({
  task_source: z.enum(['github', 'gitlab']),
  task_type: z.enum(['issue', 'pull_request', 'merge_request']),
  task_id: identifier,
  owner: z.string().nullish(),
  repo: z.string().nullish(),
  project_id: identifier.nullish(),
});

const metadataSchema = z.object({
  uuid: z.string(),
  task_key: jsonObject,
  created_at: z.string().transform((text, context) => {
    const time = toIsoTime(text);
    if (time !== null) return time;
    context.addIssue({ code: 'custom', message: 'not a time' });
    return z.NEVER;
  }),
  process_id: z.number().nullish(),
  hostname: z.string().nullish(),
  config: jsonObject.nullish(),
  user: z.string().nullish(),
  inherited_from_uuid: z.string().nullish(),
  inheritance_depth: z.number().int().nonnegative().nullish(),
});

/** `metadata.json` as the earlier program wrote it. */
type EarlierMetadata = z.infer<typeof metadataSchema>;

/** @throws when it is none */
function parseEarlierMetadata(text: string): EarlierMetadata {
  return metadataSchema.parse(JSON.parse(text));
}

/** The task's key in the form with a `type`, whichever of the two forms it came in. */
function toTypedKey(key: JsonObject): JsonObject {
  const sample = sampleKeySchema.safeParse(key);
  if (!sample.success) return key;
  const { task_source, task_type, task_id, owner, repo, project_id } = sample.data;
  const type = `${task_source}_${task_type}`;
  const number = Number(task_id);
  if (task_source === 'github') return { type, owner: owner ?? null, repo: repo ?? null, number };
  const project = String(project_id ?? [owner, repo].filter(Boolean).join('/'));
  return { type, project_id: project, [task_type === 'issue' ? 'issue_iid' : 'mr_iid']: number };
}

export interface MigrateRunOptions extends Pick<MigrateOptions, 'toTask' | 'apply'> {
  /** What `tasks.db` knows of it; null when it knows nothing. */
  readonly task: EarlierTask | null;
  readonly hasEnded: boolean;
}

/** Migrates the run in one directory; what cannot be migrated is reported and left as it is. */
export async function migrateRun(directory: string, options: MigrateRunOptions): Promise<MigratedRun> {
  const uuid = basename(directory);
  const left = { uuid, taskKeyText: null, status: null, statusInferred: false, endedAt: null } as const;
  try {
    await isRunDirectory(directory);
    const text = await readFile(toJournalFiles(directory).metadata, 'utf8');
    if (isCurrent(text)) return { ...left, kind: 'current', reason: null };
    if (!options.hasEnded) throw new Error('it had not ended, and its conversation cannot be gone on with');
    return await migrate(directory, { ...options, text, earlier: parseEarlierMetadata(text) });
  } catch (error) {
    return { ...left, kind: 'left', reason: error instanceof Error ? error.message : String(error) };
  }
}

function isCurrent(text: string): boolean {
  try {
    parseMetadata(text);
    return true;
  } catch {
    return false;
  }
}

async function migrate(
  directory: string,
  options: MigrateRunOptions & { readonly earlier: EarlierMetadata; readonly text: string },
): Promise<MigratedRun> {
  const { earlier, toTask, apply } = options;
  const uuid = basename(directory);
  if (earlier.uuid !== uuid) throw new Error(`metadata.json belongs to run ${earlier.uuid}`);
  const found = toTask(toTypedKey(earlier.task_key));
  const files = toJournalFiles(directory);
  const { summary, isUsable } = await readLastSummary(files.summaries);
  const summaryAt = typeof summary?.timestamp === 'string' ? summary.timestamp : null;
  const end = toEnd(options, summaryAt);
  if (apply) {
    await replaceFile(join(directory, 'metadata.earlier.json'), options.text);
    const hasOutcome = (await readFileIfThere(files.outcome)) !== null;
    if (end !== null && !hasOutcome) await replaceFile(files.outcome, end.outcome);
    // The last of the three: until it is there, the directory is migrated again.
    await replaceFile(files.metadata, formatMetadata(toMetadata(earlier, found)));
  }
  return {
    uuid,
    kind: 'migrated',
    taskKeyText: found.taskKeyText,
    status: end?.status ?? (isUsable ? 'completed' : 'failed'),
    statusInferred: end === null,
    endedAt: end?.endedAt ?? (isUsable ? toIsoTime(summaryAt) : null) ?? earlier.created_at,
    reason: null,
  };
}

/** The end as `tasks.db` says it; null where it says none. */
function toEnd(
  { task, earlier }: MigrateRunOptions & { readonly earlier: EarlierMetadata },
  lastSummaryAt: string | null,
) {
  if (task === null) return null;
  const { status, error_message: reason } = task;
  if (status === null) return null;
  const statistics = {
    modelCalls: task.llm_call_count,
    toolCalls: task.tool_call_count,
    // It counted both together.
    inputTokens: task.total_tokens,
    outputTokens: 0,
    durationMs: 0,
  };
  const endedAt = task.completed_at ?? toIsoTime(lastSummaryAt) ?? earlier.created_at;
  return {
    status,
    endedAt,
    outcome: formatOutcome({ status, reason, finalText: null, statistics }, endedAt),
  };
}

function toMetadata(earlier: EarlierMetadata, { taskKey, taskKeyText, host }: MigratedTask): RunMetadata {
  return {
    uuid: earlier.uuid,
    taskKey,
    taskKeyText,
    taskKeyHash: hashTaskKey(taskKeyText),
    host,
    user: earlier.user ?? null,
    createdAt: earlier.created_at,
    processId: earlier.process_id ?? 0,
    hostname: earlier.hostname ?? '',
    config: earlier.config ?? {},
    inheritedFromUuid: earlier.inherited_from_uuid ?? null,
    inheritanceDepth: earlier.inheritance_depth ?? 0,
    extra: { migrated: true },
  };
}

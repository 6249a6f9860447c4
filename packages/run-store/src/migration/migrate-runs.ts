import { readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { toErrorMessage } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected } from '@agent/text/options';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { isThere, readFileIfThere, replaceFile } from '../disk/files.ts';
import { isRunDirectory, listNames } from '../disk/run-directories.ts';
import { toCamelCase, toIsoTime } from '../disk/stored-values.ts';
import { formatDocument, formatMetadata, parseMetadata, toOutcome } from '../lines/run-documents.ts';
import { readLastSummary } from '../lines/summary-line.ts';
import {
  type JournalFiles,
  placesExpectations,
  type RunPlacesOptions,
  toJournalFiles,
  toRunPlaces,
} from '../places.ts';
import { listFactsBeside, replaceRecord } from '../record/rebuild-record.ts';
import type { JsonObject, RunMetadata } from '../run-model.ts';
import { hashTaskKey, isUuid } from '../storage-names.ts';
import {
  type EarlierMetadata,
  type EarlierTask,
  parseEarlierMetadata,
  readEarlierTasks,
  toTypedKey,
} from './earlier-program.ts';

/** A task as the index needs it. */
export interface MigratedTask {
  readonly taskKey: JsonObject;
  /** Such as `github_issue:owner:repo:42`. */
  readonly taskKeyText: string;
  /** Host of the platform, such as `github.com`. */
  readonly host: string;
}

/** Options of the migration of a store. */
export interface MigrateOptions extends RunPlacesOptions {
  /** Reads a task's key in its JSON form; throws, with the reason, for one that is none or belongs to no platform. */
  readonly toTask: (key: JsonObject) => MigratedTask;
  /** False: looks and changes nothing. */
  readonly apply: boolean;
}

/** Result of the migration of one directory, made or only looked at. */
export interface MigratedRun {
  readonly uuid: string;
  /** `migrated` now, or with `apply`; `current`: nothing to do; `left`: it cannot be migrated, and stays as it is. */
  readonly kind: 'migrated' | 'current' | 'left';
  readonly taskKeyText: string | null;
  readonly status: 'completed' | 'failed' | 'stopped' | null;
  /** True when the status was concluded from the summaries, because `tasks.db` does not know the run. */
  readonly statusInferred: boolean;
  /** ISO 8601, UTC: from when on its age counts. The run's beginning where nothing says when it ended; null for others. */
  readonly endedAt: string | null;
  /** Why it was left; null for the others. */
  readonly reason: string | null;
}

/**
 * Gives directories of the earlier program what this one needs to find and inherit from them: `metadata.json` with the
 * key's hash (the one before stays beside it), an outcome where `tasks.db` knows it, and a record of both with its lines of
 * summaries, plans and tools. One directory after the other,
 * each whole or not at all; safe to repeat. The index is the caller's to build afterwards. With `apply` only the owner
 * of the directory may call this.
 * @see seed 002 §11.1, decision C21
 */
export async function* migrateRuns(options: MigrateOptions): AsyncGenerator<MigratedRun> {
  const expectations: ExpectationsOf<MigrateOptions> = {
    ...placesExpectations,
    toTask: expected.function,
    apply: expected.flag,
  };
  checkOptions('MigrateOptions', options, expectations, ['baseDirectory', 'toTask', 'apply']);
  const places = toRunPlaces(options);
  const path = join(options.baseDirectory, 'tasks.db');
  const tasks = await readEarlierTasks(path).catch((cause: unknown) => {
    const message = `"${path}" cannot be read. Move it away to have the status of its runs concluded from their summaries.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  });
  for (const place of ['running', 'paused', 'completed'] as const) {
    const names = await translated(listNames(places[place]), `list "${places[place]}"`);
    for (const uuid of names.filter(isUuid).sort()) {
      const directory = join(places[place], uuid);
      yield await migrateRun(directory, {
        ...options,
        task: tasks.get(uuid) ?? null,
        hasEnded: place === 'completed',
      });
    }
  }
}

interface MigrateRunOptions extends Pick<MigrateOptions, 'toTask' | 'apply'> {
  /** Its row of `tasks.db`; null when there is none. */
  readonly task: EarlierTask | null;
  readonly hasEnded: boolean;
}

/** Migrates the run in one directory; what cannot be migrated is reported and left as it is. */
async function migrateRun(directory: string, options: MigrateRunOptions): Promise<MigratedRun> {
  const uuid = basename(directory);
  const left = { uuid, taskKeyText: null, status: null, statusInferred: false, endedAt: null } as const;
  try {
    await isRunDirectory(directory);
    const text = await readFile(toJournalFiles(directory).metadata, 'utf8');
    const json = JSON.parse(text) as { readonly version?: unknown };
    if (json.version !== undefined) {
      parseMetadata(json, `"${toJournalFiles(directory).metadata}"`);
      return { ...left, kind: 'current', reason: null };
    }
    if (!options.hasEnded) throw new Error('it had not ended, and its conversation cannot be continued');
    return await migrate(directory, { ...options, text, earlier: parseEarlierMetadata(text) });
  } catch (error) {
    return { ...left, kind: 'left', reason: toErrorMessage(error) };
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
    const metadata = toMetadata(earlier, found);
    await migrateRecord(files, metadata);
    // The last of all: until it is there, the directory is migrated again.
    await replaceFile(files.metadata, formatMetadata(metadata));
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

/** Makes a record of what can be read back: not of the messages, whose file stays beside it. */
async function migrateRecord(files: JournalFiles, metadata: RunMetadata): Promise<void> {
  const aside = join(files.directory, 'messages.earlier.jsonl');
  if ((await isThere(files.messages)) && !(await isThere(aside))) await rename(files.messages, aside);
  await replaceRecord(files.messages, { bodies: listFactsBeside(files, metadata), owner: null });
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
    outcome: formatDocument(toOutcome({ status, reason, finalText: null, statistics }, endedAt)),
  };
}

function toMetadata(earlier: EarlierMetadata, { taskKey, taskKeyText, host }: MigratedTask): RunMetadata {
  const task = { taskKey, taskKeyText, taskKeyHash: hashTaskKey(taskKeyText), host };
  return { ...toCamelCase(earlier), ...task, extra: { migrated: true } };
}

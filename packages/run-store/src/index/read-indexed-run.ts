import type { Logger } from '@agent/text';
import { toDamaged } from '../context-store-error.ts';
import { isRunDirectory } from '../disk/run-directories.ts';
import { toIsoTime } from '../disk/stored-values.ts';
import type { RunOutcome } from '../lines/run-documents.ts';
import { readLastSummary } from '../lines/summary-line.ts';
import { toIndexStatus } from '../outcome.ts';
import { toJournalFiles } from '../places.ts';
import { readMetadata, readOutcome } from '../record/run-record.ts';
import type { Json, JsonObject, RunMetadata } from '../run-model.ts';
import { isTaskKeyHash } from '../storage-names.ts';
import type { ExpiryFiles } from './expiry-files.ts';
import type { IndexedRun, TaskIndex } from './indexed-run.ts';
import { skipDamaged, type TaskDirectory } from './list-task-directories.ts';
import { findFault } from './task-record-file.ts';

/**
 * Reads what the index is to say of a run; null while the run has not ended. A directory that was put away
 * without an outcome has ended as its summaries say. @see decision C21
 * @throws {ContextStoreError} `damaged` when the directory does not say what it must
 */
export async function readIndexedRun(
  directory: string,
  options: { readonly isPutAway: boolean },
): Promise<IndexedRun | null> {
  const metadata = await readMetadata(directory);
  const outcome = await readOutcome(directory);
  if (outcome === null && !options.isPutAway) return null;
  const last = await readLastSummary(toJournalFiles(directory).summaries);
  const run = toIndexedRun(metadata, { ...last, outcome });
  if (run === null) return null;
  const fault = isTaskKeyHash(run.taskKeyHash) ? findFault(run) : new Error('task_key_hash is no SHA-256');
  return fault === null ? run : toDamaged(toJournalFiles(directory).metadata)(fault);
}

interface KnownEnd {
  readonly outcome: RunOutcome | null;
  /** Last line of the summaries; null for none. */
  readonly summary: JsonObject | null;
  /** False where that says that a model failed. */
  readonly isUsable: boolean;
}

/** Makes of a run that ended what the index keeps of it; null for one that was paused. */
export function toIndexedRun(
  metadata: RunMetadata,
  { outcome, summary, isUsable }: KnownEnd,
): IndexedRun | null {
  const inferred = isUsable ? 'completed' : 'failed';
  const status = outcome === null ? inferred : toIndexStatus(outcome.status);
  if (status === null) return null;
  const statistics = outcome?.statistics;
  return {
    ...describe(metadata),
    status,
    statusInferred: outcome === null,
    completedAt: toTime(outcome === null && isUsable ? summary?.timestamp : outcome?.finishedAt),
    llmCallCount: statistics?.modelCalls ?? 0,
    toolCallCount: statistics?.toolCalls ?? 0,
    totalTokens: (statistics?.inputTokens ?? 0) + (statistics?.outputTokens ?? 0),
    compressionCount: typeof summary?.id === 'number' ? summary.id : 0,
    errorMessage: outcome?.reason ?? null,
    finalSummary: summary,
  };
}

function describe({ config, extra, ...metadata }: RunMetadata) {
  return {
    ...metadata,
    llmProvider: toText(config.llm_provider),
    model: toText(config.model),
    contextLength: typeof config.context_length === 'number' ? config.context_length : null,
    inheritanceBarrierAt: toTime(extra.inheritance_barrier_at),
  };
}

function toText(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function toTime(value: Json | undefined): string | null {
  return typeof value === 'string' ? toIsoTime(value) : null;
}

/** Puts the run that ended in this directory into the index. */
export type IndexRun = (directory: string) => Promise<void>;

/**
 * Puts ended runs into the index, for `createFileRunStore`, which calls it while the run still lies in `running/`: a crash before the move has the next start
 * do it again, so that no run is lost from the index, and none is in it twice. A directory that cannot be read is
 * logged: it must not keep the run from being moved. What the disk refuses is thrown, and the run waits.
 */
export function createRunIndexer(parts: {
  readonly index: Pick<TaskIndex, 'put'>;
  readonly expiry: Pick<ExpiryFiles, 'add'>;
  readonly logger?: Logger | null | undefined;
}): IndexRun {
  const { index, expiry, logger = null } = parts;
  return async (directory) => {
    const read = () => readIndexedRun(directory, { isPutAway: true });
    const run = await skipDamaged(read, { directory, logger });
    if (run === null) return;
    await index.put(run);
    await expiry.add(run);
  };
}

export async function readRuns(
  directories: readonly Pick<TaskDirectory, 'directory' | 'place'>[],
  logger: Logger | null,
): Promise<readonly IndexedRun[]> {
  const found: IndexedRun[] = [];
  for (const { directory, place } of directories) {
    const read = async () =>
      (await isRunDirectory(directory))
        ? readIndexedRun(directory, { isPutAway: place === 'completed' })
        : null;
    const run = await skipDamaged(read, { directory, logger });
    if (run !== null) found.push(run);
  }
  return found;
}

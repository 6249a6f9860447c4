import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openFileStorage, toRecordDirectories } from '@agent/orchestrator';
import { toRetentionDays } from '@agent/orchestrator/config';
import { findBuiltIn } from '@agent/orchestrator/platforms/names';
import { formatTaskKey, parseTaskKeyJson, toTaskKeyJson } from '@agent/platforms';
import type { JsonObject, RunStorage } from '@agent/run-store';
import type { MigratedRun, MigrateOptions } from '@agent/run-store/migration';
import { loadConfig } from '../../config/load-config.ts';
import { toRecordPlaces } from '../../config/settings.ts';
import { cleanLine } from '../../text/terminal-text.ts';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { findPlatformHost, type OpenedDirectory, openDirectory } from '../open-directory.ts';
import type { CliTexts } from '../texts.en.ts';

const dayMs = 86_400_000;

/** Options and arguments of the command line. */
export interface MigrateFlags {
  readonly config: string;
  readonly apply?: boolean | undefined;
  /** The directory of runs; null for the configured one. */
  readonly directory: string | null;
}

/**
 * `agent-daemon migrate`: imports the runs of the earlier Python program, and rebuilds the index. Without `--apply` it only
 * shows what would change.
 *
 * @returns the exit code: 1 when something was left as it is
 * @throws CommandError when there is no such directory; ContextStoreError when a daemon works there, or `tasks.db` cannot be read
 */
export async function migrateCommand(flags: MigrateFlags, io: CommandIo): Promise<number> {
  const { config } = await loadConfig(flags.config, io.environment);
  const opened = await openDirectory({ config: flags.config, needs: ['platforms'] }, io);
  const directories =
    flags.directory === null ? toRecordPlaces(opened.loaded) : toRecordDirectories(resolve(flags.directory));
  await requireDirectory(directories.contexts, opened);
  const storage = await openFileStorage(directories, io);
  const { contexts: baseDirectory, paused: pausedDirectory } = directories;
  const parts = { opened, keepDays: toRetentionDays(config), upkeep: storage.upkeep, io };
  const migrateAll = (apply: boolean) => migrateEach({ baseDirectory, pausedDirectory, apply }, parts);
  if (flags.apply !== true) return migrateAll(false);
  const owner = await storage.members.acquire();
  try {
    const act = () => migrateAll(true);
    return await auditAct(opened, { action: 'migrate', target: baseDirectory }, { io, act });
  } finally {
    await owner.release();
  }
}

/** Reports a misspelled directory; otherwise it would look like one without runs. */
async function requireDirectory(path: string, { texts }: OpenedDirectory): Promise<void> {
  const isThere = await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (!isThere) throw new CommandError(texts.past.noDirectory(path));
}

async function migrateEach(
  places: Omit<MigrateOptions, 'toTask'>,
  {
    opened,
    keepDays,
    upkeep,
    io,
  }: {
    readonly opened: OpenedDirectory<'platforms'>;
    readonly keepDays: number;
    readonly upkeep: RunStorage['upkeep'];
    readonly io: CommandIo;
  },
): Promise<number> {
  const texts = opened.texts.past;
  const { migrateRuns } = await import('@agent/run-store/migration');
  const counts = { migrated: 0, current: 0, left: 0 };
  let expired = 0;
  for await (const run of migrateRuns({ ...places, toTask: (key) => toTask(key, opened) })) {
    counts[run.kind] += 1;
    if (run.endedAt !== null && io.now() - Date.parse(run.endedAt) > keepDays * dayMs) expired += 1;
    if (run.kind !== 'current')
      io.print(opened.redact(formatRow(run, { opened, texts, applied: places.apply })));
  }
  io.print(texts.counts(counts, { applied: places.apply }));
  if (expired > 0) io.print(texts.expired(expired, keepDays));
  if (places.apply) io.print(texts.indexed(await upkeep.rebuildIndex()));
  else io.print(texts.applyHint);
  return counts.left === 0 ? 0 : 1;
}

function formatRow(
  { uuid, kind, taskKeyText, status, statusInferred, reason }: MigratedRun,
  {
    opened,
    texts,
    applied,
  }: { readonly opened: OpenedDirectory; readonly texts: CliTexts['past']; readonly applied: boolean },
): string {
  const facts = [
    uuid,
    texts.rows[kind === 'migrated' && !applied ? 'planned' : kind],
    taskKeyText,
    status === null ? null : (opened.texts.states[status] ?? status),
    statusInferred ? texts.inferred : null,
    reason,
  ];
  return facts.flatMap((fact) => (fact === null ? [] : cleanLine(fact))).join('  ');
}

/** @throws PlatformError for an invalid key; Error for a platform that is not configured */
function toTask(json: JsonObject, opened: OpenedDirectory<'platforms'>) {
  const key = parseTaskKeyJson(json);
  const platform = findBuiltIn(key.type) ?? 'github';
  const host = findPlatformHost(opened, platform);
  if (host === null) throw new Error(`the configuration has no platforms.${platform} section`);
  return { taskKey: toTaskKeyJson(key) as JsonObject, taskKeyText: formatTaskKey(key), host };
}

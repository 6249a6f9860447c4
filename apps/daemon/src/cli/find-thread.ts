import { findTask, isRunNamed, nameOfRun, type TaskSummary, toRunSummaries } from '@agent/orchestrator';
import { findBuiltIn } from '@agent/orchestrator/platforms/names';
import { parseTaskKey } from '@agent/platforms';
import type { RunOverview } from '@agent/run-store';
import { cleanLine } from '../text/terminal-text.ts';
import { CommandError, type CommandIo } from './command-io.ts';
import { findPlatformHost, type OpenedDirectory } from './open-directory.ts';
import { addQueue } from './read-queue.ts';
import type { CliTexts } from './texts.en.ts';

const searchedRuns = 10_000;
const shownCandidates = 10;
/** Digits that may be the beginning of an id. */
const minPrefixChars = 4;
const shorthand = /^([\w.-]+)\/([\w.-]+)#(\d+)$/;

/** A thread that runs were made for. */
export interface NamedThread {
  readonly taskKeyText: string;
  readonly host: string;
  /** As people name it. */
  readonly name: string;
}

/**
 * The thread that somebody means: by a run of it that is listed, as `pause` finds one; else by its canonical key, by
 * `owner/repo#42` on GitHub, or by the id of any run of it.
 *
 * @throws CommandError when there is none, or more than one
 */
export async function findThread(
  directory: OpenedDirectory<'platforms'>,
  given: string,
): Promise<NamedThread> {
  const { reader, texts } = directory;
  const overview = await reader.readOverview({ recent: searchedRuns });
  const found = findTask(toRunSummaries(overview), given);
  if (found.kind === 'ambiguous') throw notOne(texts.ambiguousTask(given), { runs: found.runs, texts });
  if (found.kind === 'found') {
    const { uuid, taskKeyText, name } = found.run;
    return { taskKeyText, name, host: findHost(overview, uuid) };
  }
  for (const taskKeyText of listKeys(given)) {
    const host = findPlatformHost(directory, findBuiltIn(taskKeyText) ?? 'github');
    if (host !== null && (await directory.isIndexed({ taskKeyText, host })))
      return { taskKeyText, host, name: nameOfRun({ taskKeyText, url: null }) };
  }
  const run = await reader.readRun(given.trim()).catch(() => null);
  if (run === null) throw notOne(texts.unknownTask(given), { runs: toRunSummaries(overview), texts });
  const { taskKeyText, host } = run.metadata;
  return { taskKeyText, host, name: nameOfRun({ taskKeyText, url: null }) };
}

/**
 * The run that somebody means: by its id or the beginning of it, or by a task, which stands for its run that has not ended, else the latest.
 *
 * @throws CommandError when a task is unknown or ambiguous; ContextStoreError when an id is
 */
export async function findRunUuid(
  { reader, texts }: Pick<OpenedDirectory, 'reader' | 'texts'>,
  given: string,
): Promise<string> {
  // Names of tasks, their keys and addresses have one of these; what has none is for the reader to take or refuse.
  const isNumber = /^\d+$/.test(given.trim());
  if (!isNumber && !/[#!:]/.test(given)) return (await reader.readRun(given)).uuid;
  const runs = toRunSummaries(await reader.readOverview({ recent: searchedRuns }));
  const found = findTask(runs, given);
  if (found.kind === 'found') return found.run.uuid;
  if (found.kind === 'ambiguous') throw notOne(texts.ambiguousTask(given), { runs: found.runs, texts });
  if (isNumber && given.trim().length >= minPrefixChars) return (await reader.readRun(given)).uuid;
  throw notOne(texts.unknownTask(given), { runs, texts });
}

/**
 * The queued task without a run that a text names: null if there is none, or if a run of its thread is found.
 *
 * @throws CommandError when several are meant
 */
export async function findQueued(
  directory: OpenedDirectory,
  { given, config, io }: { readonly given: string; readonly config: string; readonly io: CommandIo },
): Promise<TaskSummary | null> {
  const { reader, texts } = directory;
  const runs = toRunSummaries(await reader.readOverview({ recent: searchedRuns }));
  if (findTask(runs, given).kind !== 'unknown') return null;
  const rows = await addQueue([], directory, { config, io });
  const named = rows.filter((row) => row.uuid === null && isRunNamed(row, given.trim()));
  if (named.length > 1) throw notOne(texts.ambiguousTask(given), { runs: named, texts });
  return named[0] ?? null;
}

/** Keys that a text may stand for: runs that were migrated are on no list. */
function listKeys(given: string): readonly string[] {
  const [, owner, repo, number] = shorthand.exec(given.trim()) ?? [];
  if (owner !== undefined)
    return ['issue', 'pull_request'].map((kind) => `github_${kind}:${owner}:${repo}:${number}`);
  try {
    parseTaskKey(given.trim());
    return [given.trim()];
  } catch {
    return [];
  }
}

function findHost({ running, pausing, paused, recent }: RunOverview, uuid: string): string {
  const live = [...running, ...pausing, ...paused].find((run) => run.uuid === uuid)?.metadata.host;
  return live ?? recent.find((run) => run.uuid === uuid)?.host ?? '';
}

/** An error that names the tasks which a user may mean: those that have not ended, else all. */
export function notOne(
  message: string,
  { runs, texts }: { readonly runs: readonly TaskSummary[]; readonly texts: CliTexts },
): CommandError {
  const live = runs.filter(({ state }) => state !== 'ended');
  const shown = (live.length > 0 ? live : runs).slice(0, shownCandidates);
  if (shown.length === 0) return new CommandError(`${message} ${texts.noCandidates}`);
  const lines = shown.map(
    ({ name, uuid, title, state, status }) =>
      `  ${(uuid ?? '').slice(0, 8).padEnd(8)}  ${cleanLine(name)}  ${texts.states[status ?? state] ?? state}  ${cleanLine(title ?? '')}`,
  );
  return new CommandError([`${message} ${texts.candidates}`, ...lines].join('\n'));
}

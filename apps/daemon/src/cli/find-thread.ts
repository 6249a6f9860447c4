import { findTask, nameOfRun, toRunSummaries } from '@agent/orchestrator';
import { findBuiltIn } from '@agent/orchestrator/platforms/names';
import { parseTaskKey } from '@agent/platforms';
import type { RunOverview } from '@agent/run-store';
import { CommandError } from './command-io.ts';
import { findPlatformHost, type OpenedDirectory } from './open-directory.ts';

const searchedRuns = 10_000;
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
  if (found.kind === 'ambiguous') throw new CommandError(texts.ambiguousTask(given));
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
  if (run === null) throw new CommandError(texts.unknownTask(given));
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
  if (!/[#!:]/.test(given)) return (await reader.readRun(given)).uuid;
  const found = findTask(toRunSummaries(await reader.readOverview({ recent: searchedRuns })), given);
  if (found.kind === 'found') return found.run.uuid;
  throw new CommandError(found.kind === 'ambiguous' ? texts.ambiguousTask(given) : texts.unknownTask(given));
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

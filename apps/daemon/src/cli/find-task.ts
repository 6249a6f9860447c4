import { nameOfRun, type RunSummary, toRunSummaries } from '@agent/orchestrator';
import { parseTaskKey } from '@agent/platforms';
import type { RunMetadata, RunOverview } from '@agent/run-store';
import { findBuiltIn } from '../platforms/names.ts';
import { CommandError } from './command-io.ts';
import type { OpenedDirectory } from './open-directory.ts';

const searchedRuns = 10_000;
const shorthand = /^([\w.-]+)\/([\w.-]+)#(\d+)$/;

export type FoundTask =
  | { readonly kind: 'found'; readonly run: RunSummary }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly runs: readonly RunSummary[] };

const minPrefixChars = 4;

/**
 * The run that somebody means: by uuid or the beginning of it, `owner/repo#42`, canonical key, or the thread's
 * address. Of several runs on one thread, the one that has not ended is meant, else the latest.
 */
export function findTask(runs: readonly RunSummary[], given: string): FoundTask {
  const text = given.trim();
  const named = runs.filter((run) => isNamed(run, text));
  const [first] = named.filter(({ state }) => state !== 'ended').concat(named);
  if (first !== undefined && isOneThread(named)) return { kind: 'found', run: first };
  if (named.length > 0) return { kind: 'ambiguous', runs: named };
  const matching = isPrefix(text) ? runs.filter(({ uuid }) => uuid.startsWith(text.toLowerCase())) : [];
  const [only, ...others] = matching;
  if (only === undefined) return { kind: 'unknown' };
  return others.length === 0 ? { kind: 'found', run: only } : { kind: 'ambiguous', runs: matching };
}

/** Tells whether a text names a run's thread: `owner/repo#42`, its canonical key, or its address. */
export function isNamed(run: RunSummary, text: string): boolean {
  const wanted = text.toLowerCase();
  const names = [run.name, run.taskKeyText, run.name.replace('!', '#')].map((name) => name.toLowerCase());
  // The end of a name is enough: `shop#42`, or a path without the directory that a server lies below.
  const isName = names.some(
    (name) => name === wanted || (/.[#!]\d/.test(wanted) && name.endsWith(`/${wanted}`)),
  );
  return isName || (run.url !== null && trimUrl(run.url) === trimUrl(wanted));
}

function isOneThread(runs: readonly RunSummary[]): boolean {
  return new Set(runs.map(({ taskKeyText, url }) => url ?? taskKeyText)).size === 1;
}

function isPrefix(text: string): boolean {
  return text.length >= minPrefixChars && /^[0-9a-f-]{4,36}$/i.test(text);
}

/** Addresses are copied with fragments, queries and closing slashes. */
function trimUrl(url: string): string {
  const [address = ''] = url.toLowerCase().split(/[?#]/, 1);
  return address.replace(/(?<!\/)\/+$/, '');
}

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
export async function findThread(directory: OpenedDirectory, given: string): Promise<NamedThread> {
  const { reader, texts, hosts } = directory;
  const overview = await reader.readOverview({ recent: searchedRuns });
  const found = findTask(toRunSummaries(overview), given);
  if (found.kind === 'ambiguous') throw new CommandError(texts.ambiguousTask(given));
  if (found.kind === 'found') {
    const { uuid, taskKeyText, name } = found.run;
    return { taskKeyText, name, host: findHost(overview, uuid) };
  }
  for (const taskKeyText of listKeys(given)) {
    const host = hosts[findBuiltIn(taskKeyText) ?? 'github'];
    if (host !== null && (await directory.isIndexed({ taskKeyText, host })))
      return { taskKeyText, host, name: nameOfRun({ taskKeyText, url: null }) };
  }
  const run = await reader.readRun(given.trim()).catch(() => null);
  if (run === null) throw new CommandError(texts.unknownTask(given));
  const { taskKeyText, host } = run.metadata;
  return { taskKeyText, host, name: nameOfRun({ taskKeyText, url: null }) };
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

/** The runs of a thread that have not ended. */
export async function listUnfinished(
  { reader }: Pick<OpenedDirectory, 'reader'>,
  { taskKeyText, host }: NamedThread,
): Promise<readonly { readonly metadata: RunMetadata; readonly state: 'running' | 'paused' }[]> {
  const { running, pausing, paused } = await reader.readOverview({ recent: 0 });
  return [
    ...running.map(({ metadata }) => ({ metadata, state: 'running' as const })),
    ...[...pausing, ...paused].map(({ metadata }) => ({ metadata, state: 'paused' as const })),
  ].filter(({ metadata }) => metadata.taskKeyText === taskKeyText && metadata.host === host);
}

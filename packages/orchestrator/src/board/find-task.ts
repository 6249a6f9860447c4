import type { RunMetadata, RunReader } from '@agent/run-store';
import type { RecordedThread } from '../triggers/handover-records.ts';
import type { RunSummary } from './run-summary.ts';

/** Result of looking for the run that somebody means. */
export type FoundTask =
  | { readonly kind: 'found'; readonly run: RunSummary }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly runs: readonly RunSummary[] };

const minPrefixChars = 4;

/**
 * The run that somebody means: by uuid or the beginning of it, `owner/repo#42`, `#42` or `42` where one thread has that number, canonical
 * key, or the thread's address. Of several runs on one thread, the one that has not ended is meant, else the latest.
 */
export function findTask(runs: readonly RunSummary[], given: string): FoundTask {
  const text = given.trim();
  const named = runs.filter((run) => isRunNamed(run, text));
  const matching = isPrefix(text) ? runs.filter(({ uuid }) => uuid.startsWith(text.toLowerCase())) : [];
  if (named.length > 0 && matching.length > 0)
    return { kind: 'ambiguous', runs: [...new Set([...named, ...matching])] };
  const [first] = named.filter(({ state }) => state !== 'ended').concat(named);
  if (first !== undefined && isOneThread(named)) return { kind: 'found', run: first };
  if (named.length > 0) return { kind: 'ambiguous', runs: named };
  const [only, ...others] = matching;
  if (only === undefined) return { kind: 'unknown' };
  return others.length === 0 ? { kind: 'found', run: only } : { kind: 'ambiguous', runs: matching };
}

/** Tells whether a text names a run's thread: `owner/repo#42`, `#42`, `42`, its canonical key, or its address. */
export function isRunNamed(run: Pick<RunSummary, 'name' | 'taskKeyText' | 'url'>, text: string): boolean {
  const wanted = /^\d+$/.test(text) ? `#${text}` : text.toLowerCase();
  const names = [run.name, run.taskKeyText, run.name.replace('!', '#')].map((name) => name.toLowerCase());
  // The end of a name is enough: `shop#42`, or a path without the directory that a server lies below.
  const isName = names.some(
    (name) =>
      name === wanted ||
      (/.[#!]\d/.test(wanted) && name.endsWith(`/${wanted}`)) ||
      (/^[#!]\d+$/.test(wanted) && name.endsWith(wanted)),
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

/** The runs of a thread that have not ended. */
export async function listUnfinished(
  { readOverview }: Pick<RunReader<unknown>, 'readOverview'>,
  { taskKeyText, host }: RecordedThread,
): Promise<readonly { readonly metadata: RunMetadata; readonly state: 'running' | 'paused' }[]> {
  const { running, pausing, paused } = await readOverview({ recent: 0 });
  return [
    ...running.map(({ metadata }) => ({ metadata, state: 'running' as const })),
    ...[...pausing, ...paused].map(({ metadata }) => ({ metadata, state: 'paused' as const })),
  ].filter(({ metadata }) => metadata.taskKeyText === taskKeyText && metadata.host === host);
}

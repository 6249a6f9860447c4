import type { IndexedRun } from './indexed-run.ts';

const maxRuns = 50;
const maxSummaryChars = 64 * 1024;

/** The runs with this one added or replaced: newest first, the 50 newest, a summary only for the newest of a host. */
export function addRun(runs: readonly IndexedRun[], run: IndexedRun): readonly IndexedRun[] {
  const others = runs.filter(({ uuid }) => uuid !== run.uuid);
  return keepNewestSummaries([...others, run].toSorted(compareNewestFirst).slice(0, maxRuns));
}

/** As `addRun`, one run after the other. */
export function addRuns(runs: readonly IndexedRun[], added: Iterable<IndexedRun>): readonly IndexedRun[] {
  const byUuid = new Map(runs.map((run) => [run.uuid, run]));
  for (const run of added) byUuid.set(run.uuid, run);
  return keepNewestSummaries([...byUuid.values()].toSorted(compareNewestFirst).slice(0, maxRuns));
}

/** A run whose end is unknown comes last: nothing says that it is recent. */
function compareNewestFirst(one: IndexedRun, other: IndexedRun): number {
  const [a, b] = [toMoment(one.completedAt), toMoment(other.completedAt)];
  if (a !== b) return b - a;
  const created = toMoment(other.createdAt) - toMoment(one.createdAt);
  return created === 0 ? (one.uuid < other.uuid ? -1 : 1) : created;
}

function toMoment(text: string | null): number {
  const moment = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(moment) ? 0 : moment;
}

function keepNewestSummaries(runs: readonly IndexedRun[]): readonly IndexedRun[] {
  const hosts = new Set<string>();
  return runs.map((run) => {
    const isNewest = !hosts.has(run.host);
    hosts.add(run.host);
    if (run.finalSummary === null || (isNewest && isShort(run.finalSummary))) return run;
    return { ...run, finalSummary: null };
  });
}

function isShort(summary: object): boolean {
  return JSON.stringify(summary).length <= maxSummaryChars;
}

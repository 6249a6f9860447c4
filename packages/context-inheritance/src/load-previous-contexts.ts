import { createFileRunLines } from '@agent/run-store/file';
import type { KnownPeople, Sanitizer } from './create-sanitizer.ts';
import type { KeyDecision, PreviousContext } from './model.ts';
import type { PreviousRunReader } from './ports.ts';
import type { EligibleRun, InheritanceLog } from './select-runs.ts';
import { parseSummaries } from './summaries.ts';

export interface LoaderParts {
  readonly reader: Pick<PreviousRunReader, 'readSummaries'>;
  readonly sanitize: Sanitizer;
  readonly people: KnownPeople;
  readonly log: Pick<InheritanceLog, 'skipped' | 'damagedLines'>;
  /** Told of a run whose directory is gone. */
  readonly onMissing: (run: EligibleRun) => Promise<void>;
}

/**
 * Reads the newest runs, side by side, until as many as wanted left a usable summary; what lies behind them is not
 * read. A run without one is skipped, and the next takes its place. @see decisions C1, C4
 */
export async function loadPreviousContexts(
  runs: readonly EligibleRun[],
  {
    most,
    taskKeyText,
    parts,
  }: { readonly most: number; readonly taskKeyText: string; readonly parts: LoaderParts },
): Promise<readonly PreviousContext[]> {
  const loaded: PreviousContext[] = [];
  for (let from = 0; from < runs.length; ) {
    const wanted = most - loaded.filter(({ summary }) => summary !== null).length;
    if (wanted <= 0) break;
    const batch = runs.slice(from, from + wanted);
    from += batch.length;
    const contexts = await Promise.all(batch.map((run) => loadContext(run, { taskKeyText, parts })));
    loaded.push(...contexts.filter((context) => context !== null));
  }
  return loaded;
}

async function loadContext(
  run: EligibleRun,
  { taskKeyText, parts }: { readonly taskKeyText: string; readonly parts: LoaderParts },
): Promise<PreviousContext | null> {
  const { uuid, status, completedAt, inheritanceDepth, llmProvider, model } = run;
  const known = {
    uuid,
    taskKeyText,
    status,
    completedAt,
    inheritanceDepth,
    metadata: { llmProvider, model },
  };
  const bare: PreviousContext = { ...known, summary: null, keyDecisions: [] };
  const lines = await readLines(run, parts);
  if (lines === null) return null;
  const found = parseSummaries(lines);
  parts.log.damagedLines(uuid, found?.skippedLines ?? lines.length);
  if (found === null) parts.log.skipped(uuid, 'no-summary');
  if (found === null) return bare;
  try {
    const summary = await parts.sanitize(found.text, parts.people);
    if (summary.trim() === '') return bare;
    return { ...known, summary, keyDecisions: await sanitizeDecisions(found.keyDecisions, parts) };
  } catch (err) {
    parts.log.skipped(uuid, 'unsafe', err);
    return bare;
  }
}

async function readLines(run: EligibleRun, { reader, log, onMissing }: LoaderParts) {
  try {
    const lines = await reader.readSummaries(run.uuid);
    if (lines !== null) return lines;
    log.skipped(run.uuid, 'missing');
    await onMissing(run);
  } catch (err) {
    log.skipped(run.uuid, 'unreadable', err);
  }
  return null;
}

function sanitizeDecisions(decisions: readonly KeyDecision[], { sanitize, people }: LoaderParts) {
  return Promise.all(
    decisions.map(async ({ text, source }) => ({ text: await sanitize(text, people), source })),
  );
}

/** More than a run makes; a bound for files that are none of ours. */
const mostSummaries = 100;
const mostPlanEntries = 2_000;
/** A call has two lines, and each may hold what the tool gave back. */
const mostToolLines = 1_000;
const mostToolBytes = 8 * 1024 * 1024;

/** Options of the reader of earlier runs. */
export interface FilePreviousRunReaderOptions {
  /** The run store's. */
  readonly baseDirectory: string;
  /** Looks the runs of a task up, such as `TaskIndex.find`. */
  readonly listRuns: PreviousRunReader['listRuns'];
}

/**
 * Reads earlier runs as the store in files keeps them: a few last lines of each, whatever its size. Needs no lock.
 *
 * @example
 * const reader = createFilePreviousRunReader({ baseDirectory, listRuns: index.find });
 * await reader.readSummaries(uuid); // the last lines of summaries.jsonl; null where the run is gone
 */
export function createFilePreviousRunReader(options: FilePreviousRunReaderOptions): PreviousRunReader {
  const { readLast } = createFileRunLines(options);
  return {
    listRuns: options.listRuns,
    readSummaries: (uuid) => readLast(uuid, { of: 'summaries', limit: mostSummaries }),
    readPlanning: (uuid) => readLast(uuid, { of: 'planning', limit: mostPlanEntries }),
    readTools: (uuid) => readLast(uuid, { of: 'tools', limit: mostToolLines, maxBytes: mostToolBytes }),
  };
}

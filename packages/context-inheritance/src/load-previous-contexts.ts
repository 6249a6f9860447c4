import type { KnownPeople, Sanitizer } from './create-sanitizer.ts';
import type { KeyDecision } from './decisions/decision.ts';
import type { PreviousContext } from './model.ts';
import type { PreviousLineKind, PreviousRunReader } from './ports.ts';
import type { EligibleRun, InheritanceLog } from './select-runs.ts';
import { parseSummaries } from './summaries.ts';

export interface LoaderParts {
  readonly reader: Pick<PreviousRunReader, 'readLines'>;
  readonly sanitize: Sanitizer;
  readonly people: KnownPeople;
  readonly log: Pick<InheritanceLog, 'skipped' | 'damagedLines'>;
  /** Told of a run whose directory is gone. */
  readonly onMissing: (run: EligibleRun) => Promise<void>;
}

/** An earlier run, and the lines that else is read of it; null where only its summary could be read, or was wanted. */
export interface LoadedContext<Context extends PreviousContext = PreviousContext> {
  readonly context: Context;
  readonly lines: Readonly<Record<'planning' | 'tools', readonly string[]>> | null;
}

export interface LoadOptions {
  readonly most: number;
  readonly taskKeyText: string;
  /** Summaries alone, or all that is inherited, out of the same pass over the record. */
  readonly of: 'summaries' | 'everything';
  readonly parts: LoaderParts;
}

/**
 * Reads the newest runs, side by side, until as many as wanted left a usable summary; what lies behind them is not
 * read. A run without one is skipped, and the next takes its place. @see decisions C1, C4
 */
export async function loadPreviousContexts(
  runs: readonly EligibleRun[],
  options: LoadOptions,
): Promise<readonly LoadedContext[]> {
  const loaded: LoadedContext[] = [];
  for (let from = 0; from < runs.length; ) {
    const wanted = options.most - loaded.filter(({ context }) => context.summary !== null).length;
    if (wanted <= 0) break;
    const batch = runs.slice(from, from + wanted);
    from += batch.length;
    const contexts = await Promise.all(batch.map((run) => loadContext(run, options)));
    loaded.push(...contexts.filter((context) => context !== null));
  }
  return loaded;
}

async function loadContext(
  run: EligibleRun,
  { taskKeyText, of, parts }: LoadOptions,
): Promise<LoadedContext | null> {
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
  const read =
    (of === 'everything' ? await readEverything(run, parts) : null) ?? (await readSummaries(run, parts));
  if (read === null) return null;
  const { summaries, lines } = read;
  const found = parseSummaries(summaries, uuid);
  parts.log.damagedLines(
    uuid,
    found === null ? summaries.length : found.skippedLines + found.skippedDecisions,
  );
  if (found === null) parts.log.skipped(uuid, 'no-summary');
  if (found === null) return { context: bare, lines };
  try {
    const summary = await parts.sanitize(found.text, parts.people);
    if (summary.trim() === '') return { context: bare, lines };
    const keyDecisions = await sanitizeDecisions(found.keyDecisions, parts);
    return { context: { ...known, summary, keyDecisions }, lines };
  } catch (err) {
    parts.log.skipped(uuid, 'unsafe', err);
    return { context: bare, lines };
  }
}

interface ReadRun extends Pick<LoadedContext, 'lines'> {
  readonly summaries: readonly string[];
}

/** Null where not all of it could be read: the summary alone may be. */
async function readEverything({ uuid }: EligibleRun, { reader, log }: LoaderParts): Promise<ReadRun | null> {
  try {
    const lines = await reader.readLines(uuid, ['summaries', 'planning', 'tools']);
    return lines && { summaries: lines.summaries, lines };
  } catch (err) {
    log.skipped(uuid, 'unreadable', err);
    return null;
  }
}

async function readSummaries(
  run: EligibleRun,
  { reader, log, onMissing }: LoaderParts,
): Promise<ReadRun | null> {
  try {
    const lines = await reader.readLines(run.uuid, ['summaries']);
    if (lines !== null) return { summaries: lines.summaries, lines: null };
    log.skipped(run.uuid, 'missing');
    await onMissing(run);
  } catch (err) {
    log.skipped(run.uuid, 'unreadable', err);
  }
  return null;
}

/** Evidence stays as it is: it is compared with the tree, and only its paths are shown. */
function sanitizeDecisions(decisions: readonly KeyDecision[], { sanitize, people }: LoaderParts) {
  const clean = (text: string) => sanitize(text, people);
  return Promise.all(
    decisions.map(async ({ text, subject, ...decision }) => {
      return {
        ...decision,
        text: await clean(text),
        subject: subject === null ? null : await clean(subject),
      };
    }),
  );
}

/** Limits of the lines that are read of one file. */
export interface PreviousLineBounds {
  /** Lines, of the newest, that are read at most. */
  readonly limit: number;
  /** Bytes of the end that are read at most. Default: no limit. */
  readonly maxBytes?: number;
}

/** More than a run makes: bounds for files that are none of ours. A call has two lines, and each may hold what the tool gave back. */
const bounds: Readonly<Record<PreviousLineKind, PreviousLineBounds>> = {
  summaries: { limit: 100 },
  planning: { limit: 2_000 },
  tools: { limit: 1_000, maxBytes: 8 * 1024 * 1024 },
};

/** Records that earlier runs are read from, such as those of a `RunStorage`. */
export interface PreviousRecords {
  readonly lines: {
    /** The last lines of each named file, oldest first; null for a run that is not stored. Rejects if it could not be read. */
    readonly readLast: <Kind extends PreviousLineKind>(
      uuid: string,
      wanted: Readonly<Record<Kind, PreviousLineBounds>>,
    ) => Promise<Readonly<Record<Kind, readonly string[]>> | null>;
  };
  /** Looks the runs of a task up, such as `TaskIndex.find`. */
  readonly listRuns: PreviousRunReader['listRuns'];
}

/**
 * Reads earlier runs as their store keeps them: a few last lines of each, whatever its size. Needs to own nothing.
 *
 * @example
 * const reader = createPreviousRunReader({ lines: storage.lines, listRuns: storage.index.find });
 * await reader.readLines(uuid, ['summaries']); // { summaries: [the last lines] }; null where the run is gone
 */
export function createPreviousRunReader({ lines, listRuns }: PreviousRecords): PreviousRunReader {
  const { readLast } = lines;
  return {
    listRuns,
    readLines: <Kind extends PreviousLineKind>(uuid: string, kinds: readonly Kind[]) => {
      const wanted = Object.fromEntries(kinds.map((kind) => [kind, bounds[kind]]));
      return readLast(uuid, wanted as Readonly<Record<Kind, PreviousLineBounds>>);
    },
  };
}

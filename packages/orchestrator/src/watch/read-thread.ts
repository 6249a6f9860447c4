import { createHash } from 'node:crypto';
import type { RunLines } from '@agent/run-store';
import { z } from 'zod';
import type { RunEntry } from './board-row.ts';
import type { CommentPassage } from './comment-passages.ts';
import { type BoardRow, type ShowOptions, showRow } from './read-board.ts';
import type { RunDigests } from './run-digests.ts';

/** Thread with the lineage of its runs. */
export interface ThreadView {
  readonly key: string;
  readonly name: string;
  readonly title: string | null;
  readonly url: string | null;
  /** Oldest first. */
  readonly runs: readonly LineageEntry[];
}

/** Run in the lineage of its thread. */
export interface LineageEntry {
  readonly row: BoardRow;
  readonly inheritedFrom: readonly string[];
  readonly summary: string | null;
  readonly decisions: readonly DecisionView[];
}

/** Decision that a run left, and whether it still stands. */
export interface DecisionView {
  readonly text: string;
  /** Comment that it rests on; null where it rests on none. */
  readonly source: string | null;
  readonly standing: 'stands' | 'source-edited' | 'source-deleted' | 'replaced' | 'unknown';
}

/** Sources of a thread. */
export interface ReadThreadOptions extends ShowOptions {
  readonly lines: Pick<RunLines, 'readLast'>;
  readonly digests: Pick<RunDigests, 'read'>;
}

/** Runs of a thread whose records are read: the latest. */
const maxRuns = 20;

/** Shows the runs of a thread, what each inherited and left. */
export async function showThread(
  key: string,
  { entries, ...options }: ReadThreadOptions & { readonly entries: readonly RunEntry[] },
): Promise<ThreadView | null> {
  const runs = entries.filter(({ uuid }) => uuid !== null);
  const sorted = runs.toSorted((one, other) => (one.since ?? 0) - (other.since ?? 0));
  const left: LeftRun[] = [];
  for (const [index, entry] of sorted.entries())
    left.push(await readLeft(entry, { ...options, isRead: index >= sorted.length - maxRuns }));
  const latest = sorted.at(-1);
  if (latest === undefined) return null;
  return {
    ...{ key, name: latest.name, url: latest.url },
    title: latest.title === null ? null : options.redact(latest.title),
    runs: left.map((run, index) => {
      const { summary, decisions, inheritedFrom } = run;
      const later = left.slice(index + 1);
      return {
        row: showRow(run.entry, options),
        inheritedFrom,
        summary: summary === null ? null : options.redact(summary),
        decisions: decisions.map((decision) => ({
          text: options.redact(decision.text),
          source: decision.source_comment_id ?? null,
          standing: judge(decision, { own: run, later }),
        })),
      };
    }),
  };
}

const decisionSchema = z.object({
  text: z.string(),
  source_comment_id: z.string().nullish(),
  source_sha256: z.string().nullish(),
});
type Decision = z.output<typeof decisionSchema>;

const summarySchema = z.object({
  summary: z.string(),
  final: z.literal(true),
  key_decisions: z.array(decisionSchema).nullish(),
});

/** A run with what it left. */
interface LeftRun {
  readonly entry: RunEntry;
  readonly inheritedFrom: readonly string[];
  readonly summary: string | null;
  readonly decisions: readonly Decision[];
  /** Comments as its record has them, in the order in which they were found; null where it was not read. */
  readonly passages: readonly CommentPassage[] | null;
}

const openedSchema = z.object({ inherited_from_uuid: z.string().nullish() });

async function readLeft(
  entry: RunEntry,
  { lines, digests, isRead }: Pick<ReadThreadOptions, 'lines' | 'digests'> & { readonly isRead: boolean },
): Promise<LeftRun> {
  const nothing = { entry, inheritedFrom: [], summary: null, decisions: [], passages: null };
  const digest = isRead && entry.uuid !== null ? await digests.read(entry.uuid) : null;
  if (digest === null || entry.uuid === null) return nothing;
  const from = openedSchema.safeParse(digest.about.opened?.data).data?.inherited_from_uuid;
  const known = { entry, inheritedFrom: from ? [from] : [], passages: digest.comments.list() };
  const read = entry.state === 'ended' ? await lines.readLast(entry.uuid, { summaries: { limit: 5 } }) : null;
  const final = read?.summaries.flatMap(parseSummary).at(-1);
  return { ...known, summary: final?.summary ?? null, decisions: final?.key_decisions ?? [] };
}

function parseSummary(line: string): readonly z.output<typeof summarySchema>[] {
  try {
    const parsed = summarySchema.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

/** Judges by what the records know: its own, and those of later runs. */
function judge(
  { text, source_comment_id: source, source_sha256: sha256 }: Decision,
  { own, later }: { readonly own: LeftRun; readonly later: readonly LeftRun[] },
): DecisionView['standing'] {
  if (source === null || source === undefined) return 'unknown';
  const isOther = (other: Decision) => other.source_comment_id === source && other.text !== text;
  if (later.some(({ decisions }) => decisions.some(isOther))) return 'replaced';
  const seen = [own, ...later].flatMap(({ passages }) => passages ?? []).filter(({ id }) => id === source);
  const last = seen.at(-1);
  if (last === undefined || own.passages === null) return 'unknown';
  if (last.kind === 'deleted') return 'source-deleted';
  if (last.body === null || sha256 === null || sha256 === undefined) return 'unknown';
  const hash = createHash('sha256').update(last.body, 'utf8').digest('hex');
  return hash === sha256 ? 'stands' : 'source-edited';
}

import type { DecisionSource, KeyDecision, ResolvedDecisions } from '@agent/context-inheritance';
import type { RunLines } from '@agent/run-store';
import { parseJson } from '@agent/text/json';
import { z } from 'zod';
import { hashText } from '../past/earlier-runs.ts';
import { parseInheritedDecisions, type RecordedDecision } from '../past/inherited-decisions.ts';
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
  /** Row of the thread while it is queued and its next run has not begun; null otherwise. */
  readonly queued: BoardRow | null;
  /** Oldest first. */
  readonly runs: readonly LineageEntry[];
}

/** Run in the lineage of its thread. */
export interface LineageEntry {
  readonly row: BoardRow;
  /** Uuids of runs. */
  readonly inheritedFrom: readonly string[];
  /** Summary that it left; null if it left none. */
  readonly summary: string | null;
  readonly decisions: readonly DecisionView[];
}

/** Decision that a run left, and whether it is still in effect. */
export interface DecisionView {
  readonly text: string;
  /** `agent`: the agent decided it. */
  readonly source: 'comment' | 'thread' | 'agent';
  /** The comment that it is based on; null for another source. */
  readonly commentId: string | null;
  /** Address of the source; null if it is not known. */
  readonly url: string | null;
  /** `stands`: in effect; `information`: no trusted user decided it; otherwise the reason why it is not in effect. */
  readonly standing:
    | 'stands'
    | 'information'
    | 'source-edited'
    | 'source-deleted'
    | 'replaced'
    | 'stale'
    | 'unknown';
  /** Text of the decision that replaces it, or the file that changed; null for none. */
  readonly detail: string | null;
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
  const waiting = entries.find(({ uuid }) => uuid === null) ?? null;
  const latest = sorted.at(-1) ?? waiting;
  if (latest === null) return null;
  const { redact } = options;
  const judge = await createJudge(left);
  const urls = new Map(left.flatMap(({ passages }) => passages ?? []).map(({ id, url }) => [id, url]));
  const urlOf = (source: DecisionSource): string | null => {
    if (source.kind === 'thread') return latest.url;
    return source.kind === 'comment' ? (urls.get(source.commentId) ?? null) : null;
  };
  return {
    ...{ key, name: latest.name, url: latest.url },
    title: latest.title === null ? null : redact(latest.title),
    queued: waiting && showRow(waiting, options),
    runs: left.map((run) => ({
      row: showRow(run.entry, options),
      inheritedFrom: run.inheritedFrom,
      summary: run.summary === null ? null : redact(run.summary),
      decisions: run.decisions
        .filter(({ origin }) => origin === null)
        .map((decision) => showDecision(decision, { judge, urlOf, redact })),
    })),
  };
}

const summarySchema = z.object({
  summary: z.string(),
  final: z.literal(true),
  key_decisions: z.array(z.unknown()).nullish(),
});

/** A run with what it left. */
interface LeftRun {
  readonly entry: RunEntry;
  readonly inheritedFrom: readonly string[];
  readonly summary: string | null;
  readonly decisions: readonly KeyDecision[];
  /** Decisions that it inherited, as they were when it began. */
  readonly inheritedDecisions: readonly RecordedDecision[];
  /** Comments as its record has them, in the order in which they were found; null where it was not read. */
  readonly passages: readonly CommentPassage[] | null;
}

const openedSchema = z.object({ inherited_from_uuid: z.string().nullish() });

async function readLeft(
  entry: RunEntry,
  { lines, digests, isRead }: Pick<ReadThreadOptions, 'lines' | 'digests'> & { readonly isRead: boolean },
): Promise<LeftRun> {
  const nothing = {
    ...{ entry, inheritedFrom: [], summary: null, decisions: [], inheritedDecisions: [], passages: null },
  };
  const digest = isRead && entry.uuid !== null ? await digests.read(entry.uuid) : null;
  if (digest === null || entry.uuid === null) return nothing;
  const from = openedSchema.safeParse(digest.about.opened?.data).data?.inherited_from_uuid;
  const known = {
    ...{ entry, inheritedFrom: from ? [from] : [], passages: digest.comments.list() },
    inheritedDecisions: parseInheritedDecisions(digest.about.inheritedDecisions?.data),
  };
  const read = entry.state === 'ended' ? await lines.readLast(entry.uuid, { summaries: { limit: 5 } }) : null;
  const final = read?.summaries.flatMap(parseSummary).at(-1);
  const { parseDecisionLines } = await import('@agent/context-inheritance');
  const { decisions } = parseDecisionLines(final?.key_decisions ?? [], { idPrefix: entry.uuid.slice(0, 8) });
  return { ...known, summary: final?.summary ?? null, decisions };
}

function parseSummary(line: string): readonly z.output<typeof summarySchema>[] {
  const parsed = summarySchema.safeParse(parseJson(line));
  return parsed.success ? [parsed.data] : [];
}

type Judge = (decision: KeyDecision) => Pick<DecisionView, 'standing' | 'detail'>;

/** Judges by what the records of all runs know: comments as they were last seen, and the tree with which the last run began. */
async function createJudge(runs: readonly LeftRun[]): Promise<Judge> {
  const newestFirst = runs.toReversed().map(({ entry, decisions }) => ({
    uuid: entry.uuid ?? entry.id,
    completedAt: new Date(entry.since ?? 0).toISOString(),
    keyDecisions: decisions,
  }));
  const seen = new Map(
    runs.flatMap(({ passages }) => passages ?? []).map((passage) => [passage.id, passage]),
  );
  const comments = new Map<string, string>();
  for (const { source } of runs.flatMap(({ decisions }) => decisions)) {
    if (source.kind !== 'comment') continue;
    const last = seen.get(source.commentId);
    if (last?.kind !== 'deleted') comments.set(source.commentId, hashOf(last?.body) ?? source.sha256 ?? '');
  }
  const { resolveDecisions } = await import('@agent/context-inheritance');
  const resolved = await resolveDecisions(newestFirst, { comments, request: null, readFile: null });
  const stale = new Map(
    (runs.at(-1)?.inheritedDecisions ?? [])
      .filter(({ state }) => state === 'stale')
      .map((one) => [one.id, one]),
  );
  return (decision) => judge(decision, { resolved, stale, isSeen: (id) => seen.has(id) });
}

function hashOf(body: string | null | undefined): string | null {
  return body == null ? null : hashText(body);
}

interface Facts {
  readonly resolved: ResolvedDecisions;
  readonly stale: ReadonlyMap<string, RecordedDecision>;
  readonly isSeen: (commentId: string) => boolean;
}

function judge(
  { id, source, isTrusted }: KeyDecision,
  { resolved, stale, isSeen }: Facts,
): ReturnType<Judge> {
  const retracted = resolved.retracted.find((one) => one.id === id);
  if (retracted !== undefined) return { standing: `source-${retracted.reason}`, detail: null };
  const state = resolved.decisions.find((one) => one.id === id)?.state;
  if (state?.kind === 'replaced') return { standing: 'replaced', detail: state.by.text };
  const changed = stale.get(id);
  if (changed !== undefined) return { standing: 'stale', detail: changed.state_detail };
  if (!isTrusted) return { standing: 'information', detail: null };
  const isKnown = source.kind !== 'comment' || isSeen(source.commentId);
  return { standing: state !== undefined && isKnown ? 'stands' : 'unknown', detail: null };
}

interface ShowDecision {
  readonly judge: Judge;
  readonly urlOf: (source: DecisionSource) => string | null;
  readonly redact: (text: string) => string;
}

function showDecision(decision: KeyDecision, { judge: judgeIt, urlOf, redact }: ShowDecision): DecisionView {
  const { source, text } = decision;
  const { standing, detail } = judgeIt(decision);
  return {
    text: redact(text),
    source: source.kind,
    commentId: source.kind === 'comment' ? source.commentId : null,
    url: urlOf(source),
    ...{ standing, detail: detail === null ? null : redact(detail) },
  };
}

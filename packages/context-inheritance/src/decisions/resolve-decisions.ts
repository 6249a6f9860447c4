import type { CurrentComments } from '../model.ts';
import { findMismatch, type ReadTreeFile } from './check-evidence.ts';
import type {
  DecisionConflict,
  DecisionState,
  InheritedDecision,
  KeyDecision,
  RetractedDecision,
} from './decision.ts';

/** A run with its decisions. */
export interface DecidingRun {
  readonly uuid: string;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
  readonly keyDecisions: readonly KeyDecision[];
}

/** The thread and the tree as they are now. Null where that is not known: then nothing counts as changed. */
export interface PresentState {
  readonly comments: CurrentComments | null;
  /** SHA-256 of title and text of the issue. */
  readonly request: string | null;
  readonly readFile: ReadTreeFile | null;
}

/** Decisions of earlier runs, and which of them hold. */
export interface ResolvedDecisions {
  /** Open decisions of trusted users, then other open ones, then stale and replaced ones; within each, newest first. */
  readonly decisions: readonly InheritedDecision[];
  readonly retracted: readonly RetractedDecision[];
  readonly conflicts: readonly DecisionConflict[];
}

type Dated = Omit<InheritedDecision, 'state'>;

/**
 * Finds out which decisions of earlier runs hold.
 *
 * - A decision whose comment was edited or deleted, or whose issue was edited, is retracted. What it replaced is open again.
 * - A decision is replaced by a later one with its id in `replaces`. A decision of a trusted user is only replaced by a decision of a
 *   trusted user. Information is also replaced by a later decision on the same subject.
 * - A repetition from the same source revision, or from a weaker source, adds nothing.
 * - A decision whose paths or quoted line are gone is stale.
 *
 * @param runs newest first
 */
export async function resolveDecisions(
  runs: readonly DecidingRun[],
  present: PresentState,
): Promise<ResolvedDecisions> {
  const all = listById(runs);
  const changed: RetractedDecision[] = [];
  const unchanged: Dated[] = [];
  for (const decision of all) {
    const reason = findChange(decision, present);
    if (reason === null) unchanged.push(decision);
    else changed.push({ ...decision, reason });
  }
  const strengths = toStrengths(all);
  const valid = mergeRepeated(unchanged, strengths);
  const idsByText = Map.groupBy(all, ({ text }) => text);
  const isNamed = (older: Dated, { replaces }: Dated) =>
    (idsByText.get(older.text) ?? []).some(({ id }) => replaces.includes(id));
  const decisions: InheritedDecision[] = [];
  for (const [index, decision] of valid.entries()) {
    const successor = valid.findLast((later, place) => {
      const isLater =
        compareTimes(later, decision) > 0 || (compareTimes(later, decision) === 0 && place < index);
      return (
        isLater && mayReplace(decision, later) && (isNamed(decision, later) || isOutdated(decision, later))
      );
    });
    const state = successor === undefined ? await checkTree(decision, present) : toReplaced(successor);
    decisions.push({ ...decision, state });
  }
  const ranked = decisions.toSorted((one, other) => rankOf(one) - rankOf(other));
  const validTexts = new Set(valid.map(({ text }) => text));
  const retracted = mergeRepeated(changed, strengths).filter(({ text }) => !validTexts.has(text));
  return { decisions: ranked, retracted, conflicts: findConflicts(ranked) };
}

/** Each decision once, newest first. */
function listById(runs: readonly DecidingRun[]): readonly Dated[] {
  const known = new Map<string, Dated>();
  for (const { uuid, completedAt, keyDecisions } of runs) {
    for (const decision of keyDecisions) {
      const dated = { ...decision, ...(decision.origin ?? { runUuid: uuid, decidedAt: completedAt }) };
      if (!known.has(decision.id)) known.set(decision.id, dated);
    }
  }
  return [...known.values()].toSorted(byDate);
}

/** The strongest source of each text. */
function toStrengths(decisions: readonly Dated[]): ReadonlyMap<string, number> {
  const strengths = new Map<string, number>();
  for (const decision of decisions)
    strengths.set(decision.text, Math.max(strengths.get(decision.text) ?? 0, strengthOf(decision)));
  return strengths;
}

/**
 * Leaves out repetitions. One of a weaker source adds nothing: it neither renews a decision nor outlives its retraction. What a trusted
 * user wrote was decided when it was first stored. The same words in another comment are another decision, which holds by itself.
 */
function mergeRepeated<Decision extends Dated>(
  decisions: readonly Decision[],
  strengths: ReadonlyMap<string, number>,
): readonly Decision[] {
  const strongest = decisions.filter((decision) => strengthOf(decision) === strengths.get(decision.text));
  const groups = Map.groupBy(strongest, (one) => (one.isTrusted ? toSourceKey(one) : one.text));
  return [...groups.values()]
    .flatMap((group) => {
      const [newest] = group;
      const oldest = group.at(-1);
      if (newest === undefined || oldest === undefined) return [];
      if (!newest.isTrusted) return [newest];
      const replaces = [...new Set(group.flatMap((one) => one.replaces))];
      const subject = group.findLast((one) => one.subject !== null)?.subject ?? null;
      return [{ ...oldest, subject, replaces }];
    })
    .toSorted(byDate);
}

/** Names a text and the revision of the source that it comes from. */
function toSourceKey({ text, source }: KeyDecision): string {
  const revision = source.kind === 'agent' ? null : source.sha256;
  return JSON.stringify([text, source.kind, source.kind === 'comment' ? source.commentId : null, revision]);
}

function byDate(one: Dated, other: Dated): number {
  const difference = Date.parse(other.decidedAt) - Date.parse(one.decidedAt);
  return Number.isNaN(difference) ? 0 : difference;
}

/** Above 0 if one was decided after the other: in a later run, or later in the same run. */
function compareTimes(one: Dated, other: Dated): number {
  const difference = -byDate(one, other);
  if (difference !== 0 || one.runUuid !== other.runUuid) return difference;
  const [number = Number.NaN, otherNumber = Number.NaN] = [one, other].map(({ id }) =>
    Number(/-(\d+)$/.exec(id)?.[1]),
  );
  return Number.isNaN(number - otherNumber) ? 0 : number - otherNumber;
}

function strengthOf({ source, isTrusted }: KeyDecision): number {
  if (isTrusted) return 2;
  return source.kind === 'agent' ? 0 : 1;
}

function findChange(
  { source }: KeyDecision,
  { comments, request }: PresentState,
): RetractedDecision['reason'] | null {
  if (source.kind === 'agent') return null;
  if (source.kind === 'thread')
    return request === null || source.sha256 === null || source.sha256 === request ? null : 'edited';
  if (comments === null) return null;
  const now = comments.get(source.commentId);
  // The comments of another thread are not listed.
  if (now === undefined) return source.thread == null ? 'deleted' : null;
  return source.sha256 === null || source.sha256 === now ? null : 'edited';
}

/** A decision of a trusted user is only replaced by one of a trusted user. */
function mayReplace(older: Dated, later: Dated): boolean {
  return later.isTrusted || !older.isTrusted;
}

/** True for information on a subject that was settled later. */
function isOutdated(older: Dated, later: Dated): boolean {
  return !older.isTrusted && isSameSubject(older, later);
}

function isSameSubject(one: KeyDecision, other: KeyDecision): boolean {
  return (
    one.subject !== null && other.subject !== null && foldSubject(one.subject) === foldSubject(other.subject)
  );
}

function foldSubject(subject: string): string {
  return subject.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function toReplaced({ id, text, runUuid, decidedAt }: Dated): DecisionState {
  return { kind: 'replaced', by: { id, text, runUuid, decidedAt } };
}

async function checkTree({ evidence }: KeyDecision, { readFile }: PresentState): Promise<DecisionState> {
  if (evidence === null || readFile === null) return { kind: 'open' };
  // A tree that could not be read proves nothing.
  const mismatch = await findMismatch(evidence, readFile).catch(() => null);
  return mismatch ?? { kind: 'open' };
}

function rankOf({ state, isTrusted }: InheritedDecision): number {
  if (state.kind === 'open') return isTrusted ? 0 : 1;
  return state.kind === 'stale' ? 2 : 3;
}

function findConflicts(decisions: readonly InheritedDecision[]): readonly DecisionConflict[] {
  const open = decisions.filter(({ state, isTrusted }) => state.kind === 'open' && isTrusted);
  const bySubject = Map.groupBy(
    open.filter(({ subject }) => subject !== null),
    ({ subject }) => foldSubject(subject ?? ''),
  );
  return [...bySubject.values()]
    .filter((group) => new Set(group.map(({ text }) => text)).size > 1)
    .map((group) => ({ subject: group[0]?.subject ?? '', decisions: group }));
}

/** Replaced decisions that a run keeps: more than an honest thread has. */
const mostReplaced = 50;

/**
 * Decisions of trusted users that a run keeps for later runs beside its own. Without this, a decision would be lost once more runs
 * follow than `max_inheritance_depth`. Replaced ones are kept too: they hold again if the comment that replaced them is deleted.
 */
export function keepDecisions(
  inherited: readonly InheritedDecision[],
  own: readonly KeyDecision[],
): readonly KeyDecision[] {
  // A decision that this run repeats is kept as well: it has the date since which the decision holds.
  const known = new Set(own.map(({ id }) => id));
  const trusted = inherited.filter(({ isTrusted, id }) => isTrusted && !known.has(id));
  const [replaced, holding] = [true, false].map((is) =>
    trusted.filter(({ state }) => (state.kind === 'replaced') === is),
  );
  return [...(holding ?? []), ...(replaced ?? []).slice(0, mostReplaced)].map(toKept);
}

function toKept({ state: _, runUuid, decidedAt, ...decision }: InheritedDecision): KeyDecision {
  return { ...decision, origin: { runUuid, decidedAt } };
}

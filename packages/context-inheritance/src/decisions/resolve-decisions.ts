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
 * - One is replaced by a later one that names it. A decision of a trusted user is only replaced by one of a trusted user. A later
 *   decision on the same subject replaces one that is only information, even if it does not name it.
 * - Of several in the same words, the one of the strongest source is in effect, then the newest: the others are replaced by it.
 * - One whose paths or quoted line are gone is stale.
 *
 * @param runs newest first
 */
export async function resolveDecisions(
  runs: readonly DecidingRun[],
  present: PresentState,
): Promise<ResolvedDecisions> {
  const unchanged: Dated[] = [];
  const retracted: RetractedDecision[] = [];
  for (const decision of listOnce(runs)) {
    const reason = findChange(decision, present);
    if (reason === null) unchanged.push(decision);
    else retracted.push({ ...decision, reason });
  }
  // The agent repeats what it inherited: without its source, a retracted decision is not information either.
  const withdrawn = new Set(retracted.map(({ text }) => text));
  const valid = unchanged.filter(({ source, text }) => source.kind !== 'agent' || !withdrawn.has(text));
  const decisions: InheritedDecision[] = [];
  for (const [index, decision] of valid.entries()) {
    const successor =
      valid.slice(0, index).findLast((later) => isReplacedBy(decision, later)) ??
      valid.find((other, at) => isRepeatedBy(decision, other, { isNewer: at < index }));
    const state = successor === undefined ? await checkTree(decision, present) : toReplaced(successor);
    decisions.push({ ...decision, state });
  }
  const ranked = decisions.toSorted((one, other) => rankOf(one) - rankOf(other));
  return { decisions: ranked, retracted, conflicts: findConflicts(ranked) };
}

/** Each decision once, newest first: later runs keep copies of it. */
function listOnce(runs: readonly DecidingRun[]): readonly Dated[] {
  const known = new Map<string, Dated>();
  for (const { uuid, completedAt, keyDecisions } of runs) {
    for (const decision of keyDecisions) {
      const dated = { ...decision, ...(decision.origin ?? { runUuid: uuid, decidedAt: completedAt }) };
      const key = `${dated.runUuid} ${dated.id}`;
      if (!known.has(key)) known.set(key, dated);
    }
  }
  return [...known.values()].toSorted(byDate);
}

function byDate(one: Dated, other: Dated): number {
  const difference = Date.parse(other.decidedAt) - Date.parse(one.decidedAt);
  return Number.isNaN(difference) ? 0 : difference;
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

function isReplacedBy(older: Dated, later: Dated): boolean {
  if (older.isTrusted && !later.isTrusted) return false;
  if (later.replaces.includes(older.id)) return true;
  return !older.isTrusted && isSameSubject(older, later) && !isSameDecision(older, later);
}

function isRepeatedBy(one: Dated, other: Dated, { isNewer }: { readonly isNewer: boolean }): boolean {
  if (one === other || !isSameDecision(one, other)) return false;
  const advantage = strengthOf(other) - strengthOf(one);
  return advantage === 0 ? isNewer : advantage > 0 && (isNewer || !isReplacedBy(other, one));
}

/** The same words answer another question on another subject. */
function isSameDecision(
  one: Pick<KeyDecision, 'text' | 'subject'>,
  other: Pick<KeyDecision, 'text' | 'subject'>,
): boolean {
  return one.text === other.text && foldSubject(one.subject ?? '') === foldSubject(other.subject ?? '');
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
    .filter((group) => group.length > 1)
    .map((group) => ({ subject: group[0]?.subject ?? '', decisions: group }));
}

/** Replaced decisions that a run keeps: more than a thread ever has, and a bound for one that is not honest. */
const mostReplaced = 50;

/**
 * Decisions of trusted users that a run keeps for later runs beside its own. Without this, a decision would be lost once more runs
 * follow than `max_inheritance_depth`. Replaced ones are kept too: they are in effect again if the comment that replaced them is
 * deleted.
 */
export function keepDecisions(
  inherited: readonly InheritedDecision[],
  own: readonly KeyDecision[],
): readonly KeyDecision[] {
  const ownIds = new Set(own.map(({ id }) => id));
  const trusted = inherited.filter(({ isTrusted, id }) => isTrusted && !ownIds.has(id));
  const [replaced, holding] = [true, false].map((is) =>
    trusted.filter(({ state }) => (state.kind === 'replaced') === is),
  );
  return [...(holding ?? []), ...(replaced ?? []).slice(0, mostReplaced)].map(toKept);
}

function toKept({ state: _, runUuid, decidedAt, ...decision }: InheritedDecision): KeyDecision {
  return { ...decision, origin: { runUuid, decidedAt } };
}

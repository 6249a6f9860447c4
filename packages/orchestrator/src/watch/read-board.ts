import type { RunState } from '../state/run-state.ts';
import type { ServiceProblem } from '../state/service-state.ts';
import { countHeld } from '../state/waits.ts';
import type { LiveParts, RunEntry } from './board-row.ts';
import type { FollowedRuns } from './follow-runs.ts';
import type { BudgetView } from './read-budgets.ts';
import type { RowProgress } from './run-course.ts';
import type { BoardQuery, ProjectedPage, RepositoryCount } from './run-projection.ts';
import type { WatchTexts } from './texts.ts';

/** One task on the board. */
export interface BoardRow
  extends Omit<RunEntry, 'host' | 'order' | 'live' | 'endReason'>,
    Omit<LiveParts, 'waitsFor' | 'pausedBy' | 'progress' | 'reason'> {
  /** Why it waits or is paused, in words for people; null if it does not. */
  readonly reason: string | null;
  /** Progress by its plan or in pre-planning; null without one. */
  readonly progress: RowProgress | null;
}

/** Part of the board that a page shows. */
export interface BoardView {
  /** Number of rows in each state that match the rest of the query: repository, time and text. */
  readonly counts: Readonly<Record<RunState, number>>;
  /** Number of those that failed, with those whose updates are pending. */
  readonly failed: number;
  /** In the order of the states; the latest of those that ended first. */
  readonly rows: readonly BoardRow[];
  /** Continues after the last row; null at the end. */
  readonly next: string | null;
  /** Repositories that have rows, by name. */
  readonly repositories: readonly RepositoryCount[];
  readonly budgets: readonly BudgetView[];
  /** Currency of costs; null where nothing has a price. */
  readonly currency: string | null;
}

/** Reason why tasks do not start. */
interface ShownHold extends Pick<ServiceProblem, 'cause' | 'scope'> {
  readonly text: string;
}

/** Words and redaction of what is shown. */
export interface ShowOptions {
  readonly texts: WatchTexts;
  readonly redact: (text: string) => string;
  /** Reasons why tasks do not start, in words for people. */
  readonly holds: readonly ShownHold[];
  /** Progress in pre-planning of a run that this process works on; null for another. */
  readonly stageOf: (uuid: string) => RowProgress | null;
  /** Cost of runs by the ledger, in millionths, by uuid. */
  readonly costs: ReadonlyMap<string, number>;
}

/** Shows a part of the board. */
export function showBoard(
  { projection }: Pick<FollowedRuns, 'projection'>,
  { query, page: { rows, next } }: { readonly query: BoardQuery; readonly page: ProjectedPage },
  { budgets, currency, ...options }: ShowOptions & Pick<BoardView, 'budgets' | 'currency'>,
): BoardView {
  return {
    ...projection.counts(query),
    rows: rows.map((entry) => showRow(entry, options)),
    next,
    repositories: projection.repositories(),
    budgets,
    currency,
  };
}

/** Shows one task. */
export function showRow(entry: RunEntry, options: ShowOptions): BoardRow {
  const { redact, stageOf, costs } = options;
  const { host: _, order: __, live, endReason: ___, ...about } = entry;
  const { progress = null, step = null, tool = null, tokens = null, costMicros = null } = live ?? {};
  const stage = entry.state === 'running' && entry.uuid !== null ? stageOf(entry.uuid) : null;
  return {
    ...about,
    title: about.title === null ? null : redact(about.title),
    reason: findReason(entry, options),
    progress: stage ?? progress,
    ...{ step, tool, tokens },
    costMicros: (entry.uuid === null ? undefined : costs.get(entry.uuid)) ?? costMicros,
  };
}

const ofHost: ReadonlySet<string> = new Set(['requests_primary', 'requests_secondary', 'content_writes']);

/** Tells whether a hold concerns a task. */
function concerns({ cause, scope }: ShownHold, { host, repository }: RunEntry): boolean {
  if (scope === null) return true;
  if (ofHost.has(cause)) return scope === host;
  if (cause !== 'money_repository') return true;
  return repository !== null && scope.startsWith(`${host}/`) && scope.endsWith(`/${repository}`);
}

function findReason(entry: RunEntry, { texts, holds, redact }: ShowOptions): string | null {
  const { state, live, endReason } = entry;
  if (state === 'queued') {
    const hold = holds.find((one) => concerns(one, entry));
    return hold === undefined ? texts.queued : texts.held(hold.text);
  }
  if (state === 'ended' || state === 'delivering') return endReason === null ? null : redact(endReason);
  if (live === null || state === 'running') return null;
  const { waitsFor, pausedBy, reason } = live;
  if (waitsFor === null && pausedBy !== null) return texts.pausedBy(redact(pausedBy));
  if (waitsFor === null) return reason === null ? texts.paused : redact(reason);
  const { kind, until } = waitsFor;
  const what = kind === 'held' ? texts.heldChanges(countHeld(waitsFor)) : texts.waitsFor[kind];
  return until === null ? what : texts.until(what, `${until.slice(0, 16).replace('T', ' ')} UTC`);
}

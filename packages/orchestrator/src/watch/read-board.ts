import type { Locale } from '@agent/text';
import type { RunningTask } from '../board/board-state.ts';
import { describeQueued, type QueueCauses } from '../state/describe-queued.ts';
import type { RunState } from '../state/run-state.ts';
import { countHeld } from '../state/waits.ts';
import type { LiveParts, RunEntry } from './board-row.ts';
import type { FollowedRuns } from './follow-runs.ts';
import type { BudgetView } from './read-budgets.ts';
import type { RowProgress } from './run-course.ts';
import type { BoardQuery, ProjectedPage, RepositoryCount } from './run-projection.ts';
import type { WatchTexts } from './texts.ts';

/** One task on the board. */
export interface BoardRow
  extends Omit<RunEntry, 'host' | 'order' | 'live' | 'endReason' | 'isResumed'>,
    Omit<LiveParts, 'waitsFor' | 'pausedBy' | 'progress' | 'reason'> {
  /** Why it waits or is paused, in words for people; null if it does not. */
  readonly reason: string | null;
  /** Progress by its plan or in pre-planning; null without one. */
  readonly progress: RowProgress | null;
  /** Set while a model or an agent is called by a run of this process. */
  readonly asking: 'model' | 'agent' | null;
  /** Start of that call in milliseconds since 1970; null without one. */
  readonly askingSince: number | null;
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

/** Words and redaction of what is shown. */
export interface ShowOptions {
  readonly texts: WatchTexts;
  readonly redact: (text: string) => string;
  readonly locale: Locale;
  /** State of the service, because of which tasks are queued. */
  readonly service: QueueCauses;
  /** Task of a run that this process works on; undefined for another. */
  readonly taskOf: (uuid: string) => RunningTask | undefined;
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
  const { redact, taskOf, costs } = options;
  const { host: _, order: __, live, endReason: ___, isResumed: ____, ...about } = entry;
  const { progress = null, tokens = null, costMicros = null } = live ?? {};
  const task = entry.state === 'running' && entry.uuid !== null ? taskOf(entry.uuid) : undefined;
  const { tool = null, toolSince = null } = task ?? live ?? {};
  const { asking = null, askingSince = null } = task ?? {};
  return {
    ...about,
    title: about.title === null ? null : redact(about.title),
    reason: findReason(entry, options),
    progress: toStage(task) ?? progress,
    step: task?.step || (live?.step ?? null),
    ...{ asking, askingSince, tool, toolSince, tokens },
    costMicros: (entry.uuid === null ? undefined : costs.get(entry.uuid)) ?? costMicros,
  };
}

/** Progress in pre-planning. */
function toStage(task: RunningTask | undefined): RowProgress | null {
  const stage = task?.preparation ?? null;
  return stage && { phase: stage.subphase, done: stage.done, total: stage.total };
}

function findReason(entry: RunEntry, options: ShowOptions): string | null {
  const { texts, redact } = options;
  const { state, live, endReason, isResumed = false } = entry;
  if (state === 'queued') return redact(describeQueued({ ...entry, isResumed }, options));
  if (state === 'ended' || state === 'delivering') return endReason === null ? null : redact(endReason);
  if (live === null || state === 'running') return null;
  const { waitsFor, pausedBy, reason } = live;
  if (waitsFor === null && pausedBy !== null) return texts.pausedBy(redact(pausedBy));
  if (waitsFor === null) return reason === null ? texts.paused : redact(reason);
  const { kind, until } = waitsFor;
  const what = kind === 'held' ? texts.heldChanges(countHeld(waitsFor)) : texts.waitsFor[kind];
  return until === null ? what : texts.until(what, `${until.slice(0, 16).replace('T', ' ')} UTC`);
}

import type { Outcome } from '@agent/run-store';
import { createTextFilter } from '../board/filter-runs.ts';
import { type RunState, runStates } from '../state/run-state.ts';
import type { RunEntry } from './board-row.ts';

/** Rows that are asked for. */
export interface BoardQuery {
  readonly state: RunState | null;
  /** Default null, as `since`: all. */
  readonly outcome?: Outcome | null | undefined;
  /** Earliest time of the state, in milliseconds since 1970. */
  readonly since?: number | null | undefined;
  readonly repository: string | null;
  /** Part of the name, the title, the user or the reason, in any case. */
  readonly text: string | null;
  /** Continues here; null for the beginning. */
  readonly after: string | null;
  readonly limit: number;
}

/** Part of the board. */
export interface ProjectedPage {
  readonly rows: readonly RunEntry[];
  readonly next: string | null;
}

/** Numbers of tasks. */
export interface ProjectedCounts {
  readonly counts: Readonly<Record<RunState, number>>;
  /** Number of those that failed, with those whose updates are pending. */
  readonly failed: number;
}

/** Number of rows that a repository has. */
export interface RepositoryCount {
  readonly name: string;
  readonly count: number;
}

type Place = Pick<RunEntry, 'state' | 'order' | 'id'>;

/**
 * Remembers all tasks, in the order in which a board shows them. A cursor names a place between rows, so that it stays good while
 * rows come and go.
 */
export class RunProjection {
  readonly #rows: Readonly<Record<RunState, RunEntry[]>> = {
    running: [],
    delivering: [],
    queued: [],
    needs_input: [],
    paused: [],
    in_review: [],
    ended: [],
  };
  readonly #byId = new Map<string, RunEntry>();
  readonly #repositories = new Map<string, number>();

  get(id: string): RunEntry | null {
    return this.#byId.get(id) ?? null;
  }

  /** Adds a task, or replaces what is known of it. */
  put(entry: RunEntry): void {
    this.remove(entry.id);
    const rows = this.#rows[entry.state];
    rows.splice(findPlace(rows, entry), 0, entry);
    this.#byId.set(entry.id, entry);
    this.#count(entry, 1);
  }

  /** @returns whether it was there */
  remove(id: string): boolean {
    const known = this.#byId.get(id);
    if (known === undefined) return false;
    const rows = this.#rows[known.state];
    rows.splice(findPlace(rows, known), 1);
    this.#byId.delete(id);
    this.#count(known, -1);
    return true;
  }

  /** Lists the tasks of a state, in their order. */
  list(state: RunState): readonly RunEntry[] {
    return this.#rows[state];
  }

  /** Lists the tasks of a thread. */
  listThread(key: string): readonly RunEntry[] {
    return [...this.#byId.values()].filter(({ threadKey }) => threadKey === key);
  }

  /** Counts the tasks that match a query, whatever its state and outcome. */
  counts(query: Pick<BoardQuery, 'repository' | 'text' | 'since'>): ProjectedCounts {
    const { repository, text, since } = query;
    const wanted = toFilter({ repository, text, since });
    const matching = (state: RunState) => this.#rows[state].filter(wanted);
    const counted = runStates.map((state) => [state, matching(state).length] as const);
    return {
      counts: Object.fromEntries(counted) as Record<RunState, number>,
      failed: runStates.flatMap(matching).filter(({ status }) => status === 'failed').length,
    };
  }

  repositories(): readonly RepositoryCount[] {
    const counted = [...this.#repositories].map(([name, count]) => ({ name, count }));
    return counted.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  page({ state, after, limit, ...filter }: BoardQuery): ProjectedPage {
    const begin = after === null ? null : parseCursor(after);
    const wanted = toFilter(filter);
    const found: RunEntry[] = [];
    for (const one of state === null ? runStates : [state]) {
      const rows = this.#rows[one];
      for (let at = findBegin(rows, one, begin); at < rows.length; at += 1) {
        const row = rows[at];
        if (row === undefined || !wanted(row)) continue;
        if (found.length === limit) return { rows: found, next: formatCursor(found.at(-1)) };
        found.push(row);
      }
    }
    return { rows: found, next: null };
  }

  #count({ repository }: RunEntry, change: 1 | -1): void {
    if (repository === null) return;
    const count = (this.#repositories.get(repository) ?? 0) + change;
    if (count === 0) this.#repositories.delete(repository);
    else this.#repositories.set(repository, count);
  }
}

function toFilter(
  query: Pick<BoardQuery, 'repository' | 'text' | 'outcome' | 'since'>,
): (row: RunEntry) => boolean {
  const { repository, outcome = null, since = null } = query;
  const hasText = createTextFilter(query.text);
  return (row) =>
    (outcome === null || row.status === outcome) &&
    (since === null || (row.since !== null && row.since >= since)) &&
    (repository === null || row.repository === repository) &&
    hasText({ name: row.name, title: row.title, user: row.user, reason: row.endReason });
}

function compare(one: Place, other: Place): number {
  if (one.order !== other.order) return one.order - other.order;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

/** Index of a row, or that at which it belongs. */
function findPlace(rows: readonly RunEntry[], place: Place): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle] as RunEntry, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first row behind a cursor. */
function findBegin(rows: readonly RunEntry[], state: RunState, cursor: Place | null): number {
  if (cursor === null || runStates.indexOf(cursor.state) < runStates.indexOf(state)) return 0;
  if (cursor.state !== state) return rows.length;
  const at = findPlace(rows, cursor);
  return rows[at]?.id === cursor.id ? at + 1 : at;
}

function formatCursor(row: RunEntry | undefined): string | null {
  return row === undefined ? null : `${row.state}~${row.order}~${row.id}`;
}

/** One that nobody gave begins at the beginning. */
function parseCursor(text: string): Place | null {
  const [name, order = '', ...id] = text.split('~');
  const state = runStates.find((one) => one === name);
  const number = Number(order);
  if (state === undefined || order === '' || !Number.isFinite(number)) return null;
  return { state, order: number, id: id.join('~') };
}

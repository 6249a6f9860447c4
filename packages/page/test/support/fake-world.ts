import type {
  ActRequest,
  AuditEntry,
  AuditLog,
  BoardQuery,
  BoardRow,
  BoardView,
  HealthReader,
  HealthView,
  PageChange,
  PageChanges,
  RunActions,
  RunsReader,
  RunView,
  ThreadView,
  TimelineEntry,
  TimelineFilter,
  TokenHolders,
} from '@agent/orchestrator/watch';
import { createRow, createRun, createThread, health } from './views.ts';

/** Everything that a page needs, in memory. */
export interface FakeWorld {
  readonly reader: RunsReader;
  readonly health: HealthReader;
  readonly changes: PageChanges;
  readonly actions: RunActions;
  readonly logins: TokenHolders;
  readonly audit: AuditLog;
  readonly rows: BoardRow[];
  readonly runs: Map<string, RunView>;
  readonly threads: Map<string, ThreadView>;
  readonly journal: string[];
  readonly acted: ActRequest[];
  readonly entries: AuditEntry[];
  readonly tell: (change?: Partial<PageChange>) => void;
  /** Number of listeners now. */
  readonly countListeners: () => number;
}

/** Token that lets `mona` in. */
export const TOKEN = 'page-token-of-mona-000000000000';

/** Creates a world with so many tasks; the first ones run, wait and are paused. */
export function createFakeWorld({ tasks = 40 }: { tasks?: number } = {}): FakeWorld {
  const listeners = new Set<(change: PageChange) => void>();
  const rows = Array.from({ length: tasks }, (_, index) => createRow(index, tasks));
  const runs = new Map(
    rows.flatMap((row) => (row.uuid === null ? [] : [[row.uuid, createRun(row)] as const])),
  );
  const threads = new Map(rows.slice(0, 5).map((row) => [row.threadKey, createThread(row)]));
  const journal = Array.from({ length: 120 }, (_, index) =>
    JSON.stringify({
      seq: index + 1,
      type: 'message',
      message: { role: 'assistant', content: `Step ${index + 1}` },
    }),
  );
  const acted: ActRequest[] = [];
  const entries: AuditEntry[] = [];
  return {
    rows,
    runs,
    threads,
    journal,
    acted,
    entries,
    reader: {
      readBoard: async (query) => toBoard(rows, query),
      readRun: async (uuid, { from, limit, show = null }) => {
        const run = runs.get(uuid);
        if (run === undefined) return null;
        const all = run.timeline.filter((entry) => isShownBy(entry, show));
        const failed = all.findIndex(({ seq }) => seq === run.failure?.seq);
        const begin = failed === -1 ? all.length - limit : Math.min(failed - 3, all.length - limit);
        const before = Math.min(from ?? Math.max(0, begin), all.length);
        const timeline = all.slice(before, before + limit);
        return { ...run, show, timeline, before, after: all.length - before - timeline.length };
      },
      readThread: async (key) => threads.get(key) ?? null,
      readLines: async (uuid, { from, limit }) =>
        runs.has(uuid)
          ? { from, lines: journal.slice(from - 1, from - 1 + limit), total: journal.length }
          : null,
    },
    health: {
      readHealth: async (): Promise<HealthView> => health,
      readProblems: async () => health.problems,
    },
    changes: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    actions: {
      act: async (request) => {
        acted.push(request);
        return request.control === 'stop'
          ? { accepted: false, reason: 'The run is <b>stopping</b> already.' }
          : { accepted: true };
      },
    },
    logins: { findHolder: async (token) => (token === TOKEN ? 'mona' : null) },
    audit: {
      write: async (entry) => {
        const at = entries.findIndex(({ id }) => id === entry.id);
        if (at === -1) entries.unshift(entry);
        else entries[at] = entry;
      },
      list: async ({ limit, user }) =>
        entries.filter(({ actor }) => user === undefined || actor === user).slice(0, limit),
    },
    tell: (change = {}) => {
      for (const listener of listeners) listener({ uuid: null, threadKey: null, ...change });
    },
    countListeners: () => listeners.size,
  };
}

function isShownBy({ kind, status }: TimelineEntry, show: TimelineFilter | null): boolean {
  if (show === null) return true;
  return show === 'errors' ? status === 'error' : kind === (show === 'tools' ? 'tool' : 'comment');
}

function toBoard(
  rows: readonly BoardRow[],
  { state, repository, text, since = null, after, limit }: BoardQuery,
): BoardView {
  const matching = rows.filter(
    (row) =>
      (since === null || (row.since ?? 0) >= since) &&
      (repository === null || row.repository === repository) &&
      (text === null || `${row.name} ${row.title}`.toLowerCase().includes(text.toLowerCase())),
  );
  const wanted = matching.filter((row) => state === null || row.state === state);
  const start = after === null ? 0 : wanted.findIndex(({ id }) => id === after) + 1;
  const part = wanted.slice(start, start + limit);
  const names = [...new Set(rows.map((row) => row.repository ?? ''))].filter((name) => name !== '');
  return {
    counts: countStates(matching),
    failed: matching.filter(({ status }) => status === 'failed').length,
    rows: part,
    next: start + limit < wanted.length ? (part.at(-1)?.id ?? null) : null,
    repositories: names.map((name) => ({
      name,
      count: rows.filter((row) => row.repository === name).length,
    })),
    budgets: health.budgets,
    currency: 'USD',
  };
}

function countStates(rows: readonly BoardRow[]): BoardView['counts'] {
  const count = (state: BoardRow['state']) => rows.filter((row) => row.state === state).length;
  return {
    ...{ running: count('running'), delivering: count('delivering'), queued: count('queued') },
    ...{ needs_input: count('needs_input'), paused: count('paused') },
    ...{ in_review: count('in_review'), ended: count('ended') },
  };
}

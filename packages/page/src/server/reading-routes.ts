import type { AuditLog, HealthReader, RunsReader } from '@agent/orchestrator/watch';
import type { Context, Hono } from 'hono';
import type { Markup } from '../html/markup.ts';
import {
  boardRoom,
  countsRoom,
  filterHours,
  outcomes,
  runStates,
  type ShownQuery,
} from '../rooms/board-room.ts';
import { healthCountsRoom, healthRoom } from '../rooms/health-room.ts';
import { auditRoom, journalRoom } from '../rooms/record-rooms.ts';
import { runRoom } from '../rooms/run-room.ts';
import { threadRoom } from '../rooms/thread-room.ts';
import { timelineFilters } from '../rooms/timeline.ts';
import type { Visit } from '../rooms/visit.ts';
import type { PageEnv } from './admission.ts';
import { respond, respondProblem } from './respond.ts';

const BOARD_ROWS = 50;
const TIMELINE_ENTRIES = 40;
const JOURNAL_LINES = 50;
const AUDIT_ENTRIES = 200;

/** Parts of the routes that show something. */
export interface ReadingRouteOptions {
  readonly reader: RunsReader;
  readonly health: HealthReader;
  readonly audit: AuditLog;
  readonly base: string;
  /** True where settings can be read again. */
  readonly canReload: boolean;
  /** Zone of the days of the audit log: an IANA name. */
  readonly timeZone: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Adds the rooms. Each has one for whoever is logged in; board and health have one for strangers on this machine, too. */
export function addReadingRoutes(
  page: Hono<PageEnv>,
  { reader, health, audit, base, canReload, timeZone, now }: ReadingRouteOptions,
): void {
  const addRoom = (path: string, show: Show, showStranger?: Show): void => {
    page.get(path, async (context) => {
      const visit = context.get('visit');
      const isStranger = visit.actor === null;
      const room = isStranger ? (context.get('isLoopback') ? showStranger : undefined) : show;
      if (room === undefined) return context.redirect(`${base}/login`, 303);
      const problems = isStranger ? [] : await health.readProblems(visit.locale);
      const content = await room({ ...visit, problems }, context);
      return content === null ? respondProblem(context, 'notFound', { visit }) : respond(context, content);
    });
  };

  addRoom(
    '/',
    async (visit, context) => {
      const query = parseQuery(context, now());
      return boardRoom(await reader.readBoard(query), query, visit);
    },
    async (visit) => {
      const query = { state: null, repository: null, text: null, after: null, limit: 1 };
      return countsRoom(await reader.readBoard(query), visit);
    },
  );
  addRoom(
    '/health',
    async (visit, context) => {
      const isReloaded = context.req.query('done') === 'reload';
      return healthRoom(await health.readHealth(visit.locale), { visit, canReload, isReloaded });
    },
    async (visit) => healthCountsRoom(await health.readHealth(visit.locale), visit),
  );
  addRoom('/runs/:uuid', async (visit, context) => {
    const from = parseNumber(context.req.query('from'));
    const show = timelineFilters.find((filter) => filter === context.req.query('show')) ?? null;
    const part = { from, limit: TIMELINE_ENTRIES, show };
    const run = await reader.readRun(context.req.param('uuid') ?? '', part);
    if (run === null) return null;
    return runRoom(run, {
      visit,
      isTail: from === null,
      done: context.req.query('done') ?? null,
      limit: TIMELINE_ENTRIES,
    });
  });
  addRoom('/runs/:uuid/journal', async (visit, context) => {
    const uuid = context.req.param('uuid') ?? '';
    const part = { from: Math.max(1, parseNumber(context.req.query('from')) ?? 1), limit: JOURNAL_LINES };
    const lines = await reader.readLines(uuid, part);
    return lines === null ? null : journalRoom(lines, { visit, uuid, limit: JOURNAL_LINES });
  });
  addRoom('/threads/:key', async (visit, context) => {
    const thread = await reader.readThread(context.req.param('key') ?? '');
    return thread === null ? null : threadRoom(thread, visit);
  });
  addRoom('/audit', async (visit, context) => {
    const read = (name: string) => readParameter(context, name);
    const about = { user: read('user'), text: read('text') };
    const given = read('day');
    const day = given !== null && /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : null;
    const entries = await audit.list({
      limit: AUDIT_ENTRIES,
      ...{ user: about.user ?? undefined, text: about.text ?? undefined },
      day: day === null ? undefined : { name: day, timeZone },
    });
    return auditRoom(entries, { ...about, day, timeZone }, visit);
  });
}

type Show = (visit: Visit, context: Context<PageEnv>) => Promise<Markup | null>;

function parseQuery(context: Context, now: number): ShownQuery {
  const read = (name: string): string | null => readParameter(context, name);
  const hours = filterHours.find((one) => String(one) === read('hours')) ?? null;
  return {
    state: runStates.find((state) => state === read('state')) ?? null,
    outcome: outcomes.find((outcome) => outcome === read('state')) ?? null,
    ...{ hours, since: hours === null ? null : now - hours * 3_600_000 },
    repository: read('repository'),
    text: read('text'),
    after: read('after'),
    limit: BOARD_ROWS,
  };
}

function readParameter(context: Context, name: string): string | null {
  const value = context.req.query(name)?.trim().slice(0, 500);
  return value === undefined || value === '' ? null : value;
}

function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

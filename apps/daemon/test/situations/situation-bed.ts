import { randomUUID } from 'node:crypto';
import {
  emptyBoard,
  type QueueEntry,
  readServiceState,
  type ServiceState,
  TaskBoard,
} from '@agent/orchestrator';
import { createAuditLog, createRunsWatch, type RunState } from '@agent/orchestrator/watch';
import { createPage } from '@agent/page';
import { type Outcome, outcomes } from '@agent/run-store';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { stringify } from 'yaml';
import { statusCommand } from '../../src/cli/commands/status.ts';
import { createApp } from '../../src/http/create-app.ts';
import { runCommand } from '../support/command.ts';
import { makeKeptRuns } from '../support/kept-runs.ts';
import { openMetricsOf } from '../support/metrics-of.ts';
import { createPlaceInDatabase } from '../support/world-runs.ts';
import { now, type Situation, type SituationProcess, type SituationRecord } from './situation.ts';

interface ProblemJson {
  readonly cause: string;
  readonly since: string | null;
  readonly what: string;
  readonly remedy: string;
}

interface ServiceJson {
  readonly status: ServiceState['status'];
  readonly problems: readonly ProblemJson[];
}

/** A service in a real database, whose views can be asked in any situation. */
export interface SituationBed {
  readonly clear: () => Promise<void>;
  readonly play: (situation: Situation) => Promise<void>;
  /** `agent-daemon status`, as text and as JSON. */
  readonly askStatus: () => Promise<{
    readonly text: string;
    readonly service: ServiceJson;
    readonly runs: readonly { readonly state: RunState }[];
  }>;
  readonly askReadiness: () => Promise<{ readonly code: number; readonly body: ServiceJson }>;
  readonly askTasks: () => Promise<{ readonly service?: ServiceJson }>;
  readonly askMetrics: () => Promise<string>;
  readonly visit: () => Promise<{
    readonly board: string;
    readonly health: string;
    readonly rows: readonly { readonly state: RunState; readonly reason: string | null }[];
  }>;
  /** State of the service as one of its processes sees it. */
  readonly readServiceAt: (number: number) => Promise<ServiceState>;
  readonly close: () => Promise<void>;
}

const tables = 'members, notes, runs, lines, cut_lines, state, controls'.split(', ');
const proxy = {
  header: 'x-remote-user',
  secret: { header: 'x-proxy-secret', value: 'secret-of-the-proxy-0001' },
  trustedAddresses: [],
};
const headers = { 'x-remote-user': 'ops', 'x-proxy-secret': proxy.secret.value };

/** Opens it. */
export async function openSituationBed(): Promise<SituationBed> {
  const { schema, config, environment } = await createPlaceInDatabase();
  const kept = await makeKeptRuns(stringify(config));
  const database = await connectPostgres({ url: environment.DATABASE_URL });
  const storage = createPostgresStorage({ database, schema, now: () => now });
  await storage.members.list();
  let current: Situation | null = null;

  const readServiceAt = (number: number | null): Promise<ServiceState> => {
    const { processes = [], isEnding = false } = current ?? {};
    const process = processes.find((one) => one.number === number);
    const report = process && parseReport(process);
    return readServiceState({ storage, now, own: report === undefined ? null : { ...report, isEnding } });
  };
  const readService = () => readServiceAt(current?.viewer ?? null);
  const entry: QueueEntry = {
    key: 'github.com github_issue:acme:shop:1',
    kind: 'new',
    platform: 'github.com',
    runId: null,
  };
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const listQueued = async () => (current?.isQueued === true ? [{ ...entry, since: now }] : []);
  const metrics = await openMetricsOf(new TaskBoard({ now: () => now }), {
    ...{ readService, queue: { waiting: listQueued }, now: () => now },
  });
  const app = createApp({
    board: () => emptyBoard,
    readService,
    queue: { waiting: listQueued },
    readMetrics: metrics.read,
    history: async () => ({ paused: [], recent: [] }),
    redact: (text) => text,
    ...{ startedAt: 0, now: () => now },
    ...{ host: '127.0.0.1', allowedHosts: [], webhooks: [], onError: () => {} },
  });
  const ask = (path: string) => app.request(path, { headers: { host: 'localhost' } });

  return {
    clear: async () => {
      for (const table of tables) await database.query(`DELETE FROM ${schema}.${table}`, []);
    },
    play: async (situation) => {
      current = situation;
      await keepRecord(situation.record ?? 'none');
      await database.query(`DELETE FROM ${schema}.members`, []);
      for (const { number, silentSeconds = 1 } of situation.processes)
        await database.query(
          `INSERT INTO ${schema}.members (number, pid, host, alone, renewed_at)
           VALUES ($1, $2, $3, false, now() - make_interval(secs => $4))`,
          [number, 4_000 + number, `build-${number}`, silentSeconds],
        );
      await storage.notes.write('processes', situation.processes.map(toReportJson));
      if (situation.pausedBy !== undefined) await storage.pauseSignal.set({ by: situation.pausedBy });
    },
    askStatus: async () => {
      const run = (json: boolean) =>
        runCommand((io) => statusCommand({ config: kept.configFile, json }, io), { environment });
      const { running, paused, in_review, recent, service } = JSON.parse((await run(true)).output);
      return { text: (await run(false)).output, service, runs: [running, paused, in_review, recent].flat() };
    },
    askReadiness: async () => {
      const answer = await ask('/readyz');
      return { code: answer.status, body: (await answer.json()) as ServiceJson };
    },
    askTasks: async () => (await ask('/tasks.json')).json() as Promise<{ readonly service?: ServiceJson }>,
    askMetrics: async () => (await ask('/metrics')).text(),
    visit: async () => {
      const watch = createRunsWatch({
        ...{ storage, board: new TaskBoard({ now: () => now }), logger, readService },
        queue: { waiting: listQueued },
        about: { locale: 'en', model: () => null },
        budgets: { money: null, requests: () => [] },
        redact: (text) => text,
        clock: { now: () => now, sleep: async () => {} },
      });
      const { load, ...views } = watch;
      await load();
      const page = createPage({
        ...views,
        logins: { findHolder: async () => null },
        audit: createAuditLog(storage.notes, { logger, now: () => now }),
        ...{ proxy, addressOf: () => '10.0.0.2', now: () => now, locale: 'en' },
      });
      const show = async (path: string) =>
        (await (await page.request(`http://localhost${path}`, { headers })).text()).replaceAll('&quot;', '"');
      const { rows } = await watch.reader.readBoard({
        ...{ state: null, repository: null, text: null, after: null, limit: 10 },
      });
      return { board: await show('/'), health: await show('/health'), rows };
    },
    readServiceAt,
    close: async () => {
      await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`, []);
      await storage.close();
      await kept.close();
    },
  };

  async function keepRecord(record: SituationRecord): Promise<void> {
    if (record === 'none') return;
    const owner = await storage.members.acquire();
    const store = storage.openStore<{ role: string; content: unknown }>({
      owner,
      parseMessage: (json) => json as { role: string; content: unknown },
    });
    const uuid = randomUUID();
    const { journal } = await store.open({
      uuid,
      taskKey: { type: 'github_issue', owner: 'acme', repo: 'shop', number: 1 },
      taskKeyText: 'github_issue:acme:shop:1',
      host: 'github.com',
      user: 'alice',
      config: { model: 'scripted-model' },
      extra: { title: 'The total is wrong', number: 1, url: 'https://github.com/acme/shop/issues/1' },
    });
    const wait = waits[record];
    if (wait !== undefined) {
      await store.pause(uuid, { lastError: null, planningState: wait && { waits_for: wait } });
    } else if (record !== 'opened') {
      const status = outcomes.find((one) => one === record) ?? 'failed';
      await journal.finish(toEnd(status));
      if (record !== 'pending updates') await store.finish(uuid);
    }
    await owner.release();
  }
}

const waits: Readonly<Record<string, { kind: string; id: string; until: null } | null>> = {
  paused: null,
  approval: { kind: 'approval', id: 'plan', until: null },
  answer: { kind: 'answer', id: 'question', until: null },
  held: { kind: 'held', id: 'held:1,2', until: null },
  'follow-up': { kind: 'follow-up', id: 'follow', until: null },
};

function toEnd(status: Outcome) {
  const statistics = { modelCalls: 3, toolCalls: 2, inputTokens: 10, outputTokens: 5, durationMs: 1_000 };
  const reason = status === 'completed' ? null : 'run_command failed: exit code 1';
  return { status, reason, finalText: null, statistics, details: {} };
}

/** Report of a process as the storage has it. */
function toReportJson({ number, role, conditions = [], holds = [], running = 0 }: SituationProcess) {
  return {
    ...{ number, host: `build-${number}`, role, version: '1.2.3', started_at: 0, concurrency: 4, running },
    conditions: conditions.map((one) => ({ ...one })),
    holds: holds.map((one) => ({ ...one, by: null, reason: null })),
  };
}

function parseReport(process: SituationProcess) {
  const { started_at: startedAt, ...report } = toReportJson(process);
  return { ...report, startedAt } as unknown as Omit<
    NonNullable<Parameters<typeof readServiceState>[0]['own']>,
    'isEnding'
  >;
}

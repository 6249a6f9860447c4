import { resolve } from 'node:path';
import {
  openReader,
  type QueuedTask,
  type QueueEntry,
  type TaskBoard,
  toEndedSummary,
  toPausedSummary,
  toQueuedTask,
  toRunJson,
} from '@agent/orchestrator';
import { type OpenWebhooksOptions, openWebhooks, type WebhookSource } from '@agent/orchestrator/platforms';
import { listRequestBudgets } from '@agent/orchestrator/watch';
import type { PageSettings } from '@agent/page/config';
import type { Doorbell } from '@agent/platforms/sources';
import type { RunStorage, TaskQueue } from '@agent/run-store';
import type { Locale } from '@agent/text/locale';
import type { Environment } from '@agent/workspace';
import type { DaemonLogger } from '../log/logger.ts';
import type { DaemonMetrics } from '../telemetry/start-metrics.ts';
import type { HttpSources } from './create-app.ts';
import { type OpenPageOptions, openPage } from './open-page.ts';
import { toProxyLogin } from './proxy-login.ts';
import { openStatusAccess } from './status-access.ts';

export interface ServeBoardOptions
  extends Pick<HttpSources, 'readService' | 'now' | 'redact'>,
    Pick<OpenPageOptions, 'platforms' | 'reload' | 'limits'> {
  readonly board: TaskBoard;
  readonly settings: BoardSettings;
  /** The platforms as they stand now. */
  readonly readSections: () => BoardSettings['platforms'];
  readonly places: OpenWebhooksOptions['places'];
  readonly storage: RunStorage;
  readonly logger: DaemonLogger;
  readonly queue: Pick<TaskQueue<QueueEntry>, 'waiting'>;
  readonly environment: Environment;
  /** Directory of the configuration file. */
  readonly directory: string;
  /** The bell that webhooks ring. */
  readonly doorbell: Pick<Doorbell, 'ring'>;
  /** Has the daemon look for tasks now. */
  readonly wake: () => void;
  /** Null if metrics are neither served nor sent. */
  readonly metrics: DaemonMetrics | null;
  /** Language of the words in which the page tells of runs. */
  readonly locale: Locale;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Sections of the configuration that say where to listen, and to whom. */
export interface BoardSettings extends WebhookSource {
  readonly http: {
    /** Null: no server at all. 0: any free port. */
    readonly port: number | null;
    readonly host: string;
    readonly allowed_hosts: readonly string[];
    readonly page: PageSettings;
    readonly metrics_token_file: string | null;
  };
  readonly time_zone: string;
  readonly llm: OpenPageOptions['llm'];
}

/** Number of ended runs that `/tasks.json` lists. */
const recentRuns = 20;

/**
 * Shows what the daemon does: over HTTP, if a port is configured, and by metrics that are sent, if they are.
 *
 * @returns what ends it
 * @throws Error that says what to do when the address cannot be had
 */
export async function serveBoard(options: ServeBoardOptions): Promise<() => Promise<void>> {
  const { platforms, metrics, queue } = options;
  const sources = toSources(options);
  metrics?.addState({
    ...{ ...sources, platforms },
    countResting: async () => {
      const { paused, inReview, held } = await sources.history((await queue.waiting()).map(toQueuedTask));
      return { paused: paused.length, inReview: inReview.length, held };
    },
    memory: () => process.memoryUsage(),
  });
  const stopServing = await serveHttp(options, sources);
  return async () => {
    await stopServing();
    await metrics?.close();
  };
}

function toSources({ board, storage, queue, logger, metrics, platforms, ...options }: ServeBoardOptions) {
  const { readService, redact, now, locale } = options;
  const reader = openReader(storage);
  return {
    board: () => board.state,
    queue,
    locale,
    requests: () => listRequestBudgets(platforms()),
    history: async (queued: readonly QueuedTask[]) => {
      const { paused, pausing, recent } = await reader.readOverview({ recent: recentRuns });
      const isQueued = new Set(queued.map(({ uuid }) => uuid));
      const resting = [...pausing, ...paused].filter(({ uuid }) => !isQueued.has(uuid)).map(toPausedSummary);
      const isInReview = ({ state }: (typeof resting)[number]) => state === 'in_review';
      return {
        paused: resting.filter((run) => !isInReview(run)).map(toRunJson),
        inReview: resting.filter(isInReview).map(toRunJson),
        held: resting.reduce((sum, { held = 0 }) => sum + held, 0),
        recent: recent.map(toEndedSummary).map(toRunJson),
      };
    },
    ...{ readService, redact, now },
    readMetrics: metrics?.read ?? null,
    startedAt: now(),
    onError: (err: unknown) => logger.error({ err }, 'failed to read status data'),
  };
}

const statusPaths = ['/healthz', '/readyz', '/metrics', '/tasks.json'];

async function serveHttp(
  options: ServeBoardOptions,
  sources: ReturnType<typeof toSources>,
): Promise<() => Promise<void>> {
  const { settings, logger, wake, directory, storage, now } = options;
  const { port, host, allowed_hosts: allowedHosts, metrics_token_file: tokenFile } = settings.http;
  if (port === null) return async () => {};
  const { proxy } = settings.http.page;
  const [{ startHttpServer }, { isLoopback }] = await Promise.all([
    import('./start-http-server.ts'),
    import('./create-app.ts'),
  ]);
  const webhooks = await openWebhooks({ ...options, bell: options.doorbell, wake });
  const page = settings.http.page.enabled
    ? openPage({
        ...options,
        ...{ page: settings.http.page, http: settings.http, llm: settings.llm },
        proxy: toProxyLogin(proxy, options.environment),
        timeZone: settings.time_zone,
        requests: sources.requests,
      })
    : null;
  const mayRead = await openStatusAccess({
    tokenFile: tokenFile === null ? null : resolve(directory, tokenFile),
    page: page?.handle ?? null,
    isOfStatus: async (token) => {
      const { createStatusTokens } = await import('@agent/orchestrator/watch');
      return (await createStatusTokens(storage.notes, { now }).findHolder(token)) !== null;
    },
  });
  const server = await startHttpServer(
    { ...sources, host, allowedHosts, webhooks },
    {
      ...{ port, page: page?.handle, mayRead },
      socket: page === null || proxy?.socket == null ? null : resolve(directory, proxy.socket),
    },
  );
  logger.info({ paths: statusPaths, url: server.url }, 'serving HTTP endpoints');
  if (page !== null) logger.info({ url: server.url }, 'serving web UI');
  const paths = webhooks.filter(({ handle }) => handle !== null).map(({ path }) => path);
  if (paths.length > 0) logger.info({ url: server.url, paths }, 'listening for webhooks');
  if (!isLoopback(host)) {
    const seen = mayRead === null ? '; task titles are visible without a login' : '';
    logger.warn({ host }, `HTTP server accepts connections from other machines${seen}`);
  }
  return async () => {
    page?.close();
    await server.close();
  };
}

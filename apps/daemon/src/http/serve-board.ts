import { type BoardState, type MemoryTaskQueue, openReader } from '@agent/orchestrator';
import type { Doorbell } from '@agent/platforms/sources';
import type { Redact } from '@agent/text/outgoing';
import type { Environment } from '../config/load-config.ts';
import { toRunDirectories } from '../config/run-directories.ts';
import type { Config } from '../config/schema.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { toEndedSummary, toPausedSummary, toRunJson } from '../text/run-summary.ts';
import { listWebhookSettings, type WebhookSetting } from './list-webhook-settings.ts';
import type { WebhookRoute } from './webhook-routes.ts';

export interface ServeBoardOptions {
  readonly config: Config;
  /** Directory of the configuration file. */
  readonly directory: string;
  readonly logger: DaemonLogger;
  readonly redact: Redact;
  readonly board: () => BoardState;
  readonly queue: Pick<MemoryTaskQueue, 'waiting' | 'hold'>;
  readonly now: () => number;
  readonly environment: Environment;
  /** Rung by webhooks. */
  readonly doorbell: Pick<Doorbell, 'ring'>;
  /** Has the daemon look for tasks now. */
  readonly wake: () => void;
}

/** Number of ended runs that `/tasks.json` lists. */
const recentRuns = 20;

/**
 * Serves what the daemon does over HTTP, if a port is configured.
 *
 * @returns what ends it
 * @throws Error that says what to do when the address cannot be had
 */
export async function serveBoard(options: ServeBoardOptions): Promise<() => Promise<void>> {
  const { config, directory, logger, now, wake } = options;
  const { port, host, allowed_hosts: allowedHosts } = config.http;
  if (port === null) return async () => {};
  const [{ startHttpServer }, { isLoopback }] = await Promise.all([
    import('./start-http-server.ts'),
    import('./create-app.ts'),
  ]);
  const webhooks = await openWebhooks({ ...options, bell: options.doorbell, wake });
  const reader = openReader(toRunDirectories({ config, directory }));
  const server = await startHttpServer(
    {
      board: options.board,
      queue: {
        waiting: async () => (await options.queue.waiting()).map(({ key }) => key),
        hold: () => options.queue.hold(),
      },
      history: async () => {
        const { paused, pausing, recent } = await reader.readOverview({ recent: recentRuns });
        return {
          paused: [...pausing, ...paused].map(toPausedSummary).map(toRunJson),
          recent: recent.map(toEndedSummary).map(toRunJson),
        };
      },
      redact: options.redact,
      startedAt: now(),
      now,
      memory: () => process.memoryUsage(),
      host,
      allowedHosts,
      webhooks,
      onError: (err) => logger.error({ err }, 'an HTTP request could not be answered'),
    },
    { port },
  );
  logger.info({ url: server.url }, 'serving /healthz, /readyz, /metrics and /tasks.json');
  const paths = webhooks.filter(({ handle }) => handle !== null).map(({ path }) => path);
  if (paths.length > 0) logger.info({ url: server.url, paths }, 'taking webhooks');
  if (!isLoopback(host)) {
    logger.warn({ host }, 'other machines can read the titles of tasks over HTTP; http.host says where');
  }
  return server.close;
}

interface OpenWebhooksOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly bell: Pick<Doorbell, 'ring'>;
  /** Has the daemon look for tasks now. */
  readonly wake: () => void;
  readonly logger: DaemonLogger;
}

/** Opens an address for each built-in platform that is configured; what it takes to verify is loaded where a secret is set. */
export async function openWebhooks(options: OpenWebhooksOptions): Promise<readonly WebhookRoute[]> {
  const { config, environment, bell, wake, logger } = options;
  const settings = listWebhookSettings(config, environment);
  if (settings.every(({ secret }) => secret === null))
    return settings.map(({ path, variable }) => ({ path, variable, handle: null }));
  const { createBodyBudget, createWebhookHandler } = await import('@agent/platforms/webhooks');
  const { max_bodies_in_flight: maxBodies, max_bytes_in_flight: maxBytes } = config.webhooks;
  const budget = createBodyBudget({ maxBodies, maxBytes });
  const open = async ({ path, variable, secret, section, entry }: WebhookSetting): Promise<WebhookRoute> => {
    if (secret === null) return { path, variable, handle: null };
    const origin = await entry.webhooks.createOrigin(secret);
    const repositories = entry.listPlaces(section);
    const waitingLabel = section.bot_label;
    const handle = createWebhookHandler({ origin, repositories, waitingLabel, bell, wake, logger, budget });
    return { path, variable, handle };
  };
  return Promise.all(settings.map(open));
}

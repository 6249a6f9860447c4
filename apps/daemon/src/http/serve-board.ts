import {
  type MemoryTaskQueue,
  openReader,
  toEndedSummary,
  toPausedSummary,
  toRunJson,
} from '@agent/orchestrator';
import { openWebhooks, type WebhookSource } from '@agent/orchestrator/platforms';
import type { Doorbell } from '@agent/platforms/sources';
import type { RunStorage } from '@agent/run-store';
import type { Environment } from '@agent/workspace';
import type { DaemonLogger } from '../log/logger.ts';
import type { HttpSources } from './create-app.ts';

export interface ServeBoardOptions extends Pick<HttpSources, 'board' | 'checkStorage' | 'now' | 'redact'> {
  readonly settings: BoardSettings;
  /** The platforms as they stand now. */
  readonly readSections: () => BoardSettings['platforms'];
  readonly storage: Pick<RunStorage, 'openReader'>;
  readonly logger: DaemonLogger;
  readonly queue: Pick<MemoryTaskQueue, 'waiting' | 'hold'>;
  readonly environment: Environment;
  /** The bell that webhooks ring. */
  readonly doorbell: Pick<Doorbell, 'ring'>;
  /** Has the daemon look for tasks now. */
  readonly wake: () => void;
}

/** Sections of the configuration that say where to listen, and to whom. */
export interface BoardSettings extends WebhookSource {
  readonly http: {
    /** Null: no server at all. 0: any free port. */
    readonly port: number | null;
    readonly host: string;
    readonly allowed_hosts: readonly string[];
  };
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
  const { settings, storage, logger, now, wake } = options;
  const { port, host, allowed_hosts: allowedHosts } = settings.http;
  if (port === null) return async () => {};
  const [{ startHttpServer }, { isLoopback }] = await Promise.all([
    import('./start-http-server.ts'),
    import('./create-app.ts'),
  ]);
  const webhooks = await openWebhooks({ ...options, bell: options.doorbell, wake });
  const reader = openReader(storage);
  const server = await startHttpServer(
    {
      board: options.board,
      checkStorage: options.checkStorage,
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

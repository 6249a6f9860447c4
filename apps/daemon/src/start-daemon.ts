import { resolve } from 'node:path';
import {
  type ConfiguredPlatform,
  createKnownMcpTools,
  createOrchestrator,
  describeProblem,
  type HoldState,
  type ObserveBoard,
  type OnlyThread,
  type RunTelemetry,
  TaskBoard,
  type WorkRole,
} from '@agent/orchestrator';
import { createSettings } from '@agent/orchestrator/config';
import { connectConfiguredPlatforms, createPlaceBook, createTrustBook } from '@agent/orchestrator/platforms';
import type { RunStorage } from '@agent/run-store';
import { checkModelSettings } from '@agent/runner/models/config';
import { formatTime, type Locale } from '@agent/text';
import { processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { createIssuedSecrets } from '@agent/text/secrets';
import type { TextWorker } from '@agent/text/worker';
import type { Environment } from '@agent/workspace';
import { shareMcpServers } from '@agent/workspace/mcp';
import manifest from '../package.json' with { type: 'json' };
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { openStorage } from './config/open-storage.ts';
import { createReloadConfig } from './config/reload-config.ts';
import {
  collectSecrets,
  listOtherDirectories,
  listReservedKeys,
  listSecretFiles,
  listShortSecrets,
  refuseSharedCredentials,
  toObservedConfig,
  toPlatformSettings,
  toRecordPlaces,
  toRunDirectories,
} from './config/settings.ts';
import type { Finding } from './doctor/finding.ts';
import { serveBoard } from './http/serve-board.ts';
import { openScreen } from './live/open-screen.ts';
import { createLogger, type DaemonLogger, type LogFormat } from './log/logger.ts';
import { openTelemetry } from './telemetry/open-telemetry.ts';

/** What a storage of runs is opened with. */
export interface OpenStorageAt {
  /** Directories of this machine, as the configuration names them. */
  readonly places: ReturnType<typeof toRecordPlaces>;
  /** Removes secrets from a text. */
  readonly redact: Redact;
  readonly logger: DaemonLogger;
  readonly now: () => number;
}

export interface StartDaemonOptions {
  readonly configFile: string;
  readonly environment: Environment;
  readonly logFormat: LogFormat;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly once: boolean;
  /** The one thread to work on, with `once`. Default all that wait. */
  readonly thread?: OnlyThread | undefined;
  /** True to write nothing on the platforms: each write is printed instead. Default false. */
  readonly observe?: boolean | undefined;
  /** Opens the storage of runs. Default the one that the configuration names. */
  readonly openStorage?: ((at: OpenStorageAt) => RunStorage) | undefined;
  /** Part of this process in the work. Default `both`. */
  readonly role?: WorkRole | undefined;
  /** True for a live view of the tasks below the log, on a terminal. */
  readonly live: boolean;
  readonly shutdown: AbortSignal;
  /** Subscribes to requests to read the configuration again. Default nobody makes one. */
  readonly onReload?: ((reload: () => void) => () => void) | undefined;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Called at the end of a process with `once` that left tasks for the next start: says because of what, a line each. Default nothing. */
  readonly onLeft?: ((reasons: readonly string[]) => void) | undefined;
  /** Called when another process has taken the directory of runs, to end this one at once. Default nothing. */
  readonly onLost?: ((reason: Error) => void) | undefined;
  /** Cleans what strangers wrote; ended with the daemon. Default: one that starts when it is needed. */
  readonly textWorker?: TextWorker | undefined;
}

/**
 * Runs the daemon that a configuration describes, until it is told to end: its platforms, its records, its model, and beside
 * them what it shows of itself.
 *
 * @returns whether everything that was asked of it could be done
 * @throws ConfigError, PlatformError, ContextStoreError when it cannot start; the message says what to do
 */
export async function startDaemon(options: StartDaemonOptions): Promise<boolean> {
  const configured = await loadConfig(options.configFile, options.environment);
  const loaded = options.observe === true ? toObservedConfig(configured) : configured;
  const { config, environment, directory } = loaded;
  const { now, once } = options;
  const named = options.thread !== undefined;
  const secrets = createIssuedSecrets(collectSecrets(config, environment), { now });
  const { redactOutgoing: redact, hideKnownSecrets } = createSecretFilters(secrets.values);
  const settings = createSettings(config);
  let activeSpan: RunTelemetry['activeSpan'] = () => null;
  const log = {
    level: () => settings.current().log.level,
    format: options.logFormat,
    redact,
    version: manifest.version,
    activeSpan: () => activeSpan(),
  };
  // Before the checks: a mistake in .env may be why a variable is not set.
  const early = createLogger({ ...log, output: options.output });
  if (options.observe === true)
    early.warn(
      { directory: toRunDirectories(loaded).contexts },
      'observing: writing nothing on the platforms',
    );
  warnOfSettings(configured, { logger: early, observes: options.observe === true });
  checkModelSettings(config.llm, environment);
  refuseSharedCredentials(config);
  const board = new TaskBoard({ now });
  const screen = await openScreen({ ...options, board });
  const readSections = () => settings.current().platforms;
  const trustBook = createTrustBook();
  const placeBook = createPlaceBook();
  const connected = Promise.withResolvers<void>();
  let platforms: readonly ConfiguredPlatform[] = [];
  const logger = createLogger({ ...log, output: screen.output });
  const storage =
    options.openStorage?.({ places: toRecordPlaces(loaded), redact, logger, now }) ??
    (await openStorage(loaded, { now, logger }));
  const shown = { ...options, ...screen, environment, notes: storage.notes, redact };
  const observer =
    options.observe === true ? (await import('./log/open-observer.ts')).openObserver(shown) : undefined;
  const telemetry = await openTelemetry(
    { telemetry: config.telemetry, environment, servesMetrics: config.http.port !== null },
    { redact, logger, sleep: options.sleep, now },
  );
  activeSpan = telemetry.runs.activeSpan;
  const orchestrator = createOrchestrator({
    platforms: async (at) => {
      platforms = await connectConfiguredPlatforms(
        {
          ...toPlatformSettings(loaded, { ...storage, secrets, named, observer }),
          ...{ readSections, trustBook, placeBook },
        },
        { logger, now, ...at },
      );
      connected.resolve();
      return platforms;
    },
    model: async () => {
      const { createModel } = await import('@agent/runner/models');
      return createModel(config.llm, { environment, directory });
    },
    directory: toRunDirectories(loaded),
    storage,
    role: options.role,
    version: manifest.version,
    settings: config,
    live: settings,
    secrets: secrets.values,
    environment,
    hidden: [
      ...listSecretFiles(loaded),
      resolve(options.configFile),
      ...(options.observe === true ? listOtherDirectories(configured) : []),
    ],
    openMcp: ({ shutdown }) =>
      shareMcpServers({
        servers: config.mcp_servers,
        pins: createKnownMcpTools(storage.notes),
        ...{ environment, directory, redact, hideKnownSecrets, logger, shutdown },
      }),
    serve: (at) =>
      serveBoard({
        ...at,
        settings: config,
        limits: () => settings.current().limits,
        readSections,
        places: placeBook,
        storage,
        environment,
        directory,
        logger,
        redact,
        now,
        board,
        locale: processLocale(environment),
        sleep: options.sleep,
        platforms: () => platforms,
        reload: () => reload(),
        metrics: telemetry.metrics,
      }),
    board,
    telemetry: telemetry.runs,
    logger,
    onLost: options.onLost,
    textWorker: options.textWorker,
    sleep: options.sleep,
    now,
  });
  const reload = createReloadConfig({
    ...{ loaded: configured, settings, trust: trustBook, places: placeBook, logger },
    file: options.configFile,
    environment: options.environment,
    connected: connected.promise,
    observe: board.observe,
    signal: options.shutdown,
  });
  const unsubscribe = options.onReload?.(() => void reload()) ?? (() => {});
  const ending = new AbortController();
  if (!once && options.role !== 'work') {
    const signal = AbortSignal.any([options.shutdown, ending.signal]);
    const report = () =>
      reportProblems(options, { loaded, storage, logger, redact, observe: board.observe, signal });
    void connected.promise.then(report);
  }
  const about = { locale: processLocale(environment), timeZone: config.time_zone };
  return orchestrator
    .run({ once, thread: options.thread, signal: options.shutdown })
    .finally(() => {
      if (once) options.onLeft?.(board.state.holds.map((hold) => describeHold(hold, about)));
    })
    .finally(() => ending.abort())
    .finally(unsubscribe)
    .finally(storage.close)
    .finally(telemetry.close)
    .finally(screen.close);
}

/** Says in one line what kept tasks from starting, until when, and what to do. */
function describeHold(
  hold: HoldState,
  { locale, timeZone }: { readonly locale: Locale; readonly timeZone: string },
): string {
  const { what, remedy } = describeProblem(hold, locale);
  const end = hold.until === null ? '' : ` (→ ${formatTime(new Date(hold.until), timeZone)})`;
  return locale === 'ja' ? `${what}${end}。${remedy}` : `${what}${end}. ${remedy}`;
}

/** Requests of the checks come after those of the first tasks. */
const firstTasksMs = 60_000;

interface ReportedDaemon {
  readonly loaded: LoadedConfig;
  readonly storage: RunStorage;
  readonly logger: DaemonLogger;
  readonly redact: Redact;
  /** Receives each warning as a notice. */
  readonly observe: ObserveBoard;
  readonly signal: AbortSignal;
}

/** Logs once what `doctor` would report about platforms and settings. */
async function reportProblems(
  { configFile, environment: processEnvironment, sleep, now }: StartDaemonOptions,
  { loaded, storage, logger, redact, observe, signal }: ReportedDaemon,
): Promise<void> {
  await sleep(firstTasksMs, signal);
  if (signal.aborted) return;
  const { logProblems } = await import('./doctor/checks.ts');
  const { environment } = loaded;
  const locale = processLocale(environment);
  const onWarning = ({ area, text, fix: remedy }: Finding) =>
    observe({ type: 'notice', notice: { cause: 'finding', area, text, remedy } });
  const daemon = { environment, processEnvironment, locale, logger, onWarning, signal, now };
  await logProblems(daemon, { loaded, configFile, storage, redact, callModel: false });
}

function warnOfSettings(
  { config, environment, envFile }: LoadedConfig,
  { logger, observes }: { readonly logger: DaemonLogger; readonly observes: boolean },
): void {
  for (const { line, kind, name } of envFile.problems)
    logger.warn({ file: envFile.path, line, problem: kind, variable: name }, 'mistake in .env file');
  for (const key of listReservedKeys(config)) logger.warn({ key }, 'ignoring reserved setting');
  const servers = Object.keys(config.mcp_servers);
  if (observes && servers.length > 0)
    logger.warn({ servers }, 'not offering tools of mcp_servers: this process only observes');
  if (config.executor !== null && servers.length > 0)
    logger.warn({ servers }, 'not passing tools of mcp_servers to the executor.acp agent');
  for (const variable of listShortSecrets(config, environment)) {
    logger.warn({ variable }, 'secret is too short to redact by value');
  }
}

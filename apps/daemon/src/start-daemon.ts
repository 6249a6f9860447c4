import { join } from 'node:path';
import {
  type ConfiguredPlatform,
  checkDisk,
  createFailedRuns,
  createPausedListener,
  createRunRecovery,
  createTaskWorker,
  createUpkeep,
  type Hold,
  isTransient,
  keepConditions,
  MemoryTaskQueue,
  type ModelWatch,
  openReader,
  openRunIndex,
  openStore,
  type QueueEntry,
  removeExpiredWork,
  runTasks,
  TaskBoard,
} from '@agent/orchestrator';
import { createDoorbell } from '@agent/platforms/sources';
import { acquireLock, createFileRunControls, isPauseSignalled } from '@agent/run-store/file';
import { processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact, type SecretFilters } from '@agent/text/outgoing';
import { createTextWorker, type TextWorker } from '@agent/text/worker';
import { shareMcpServers } from '@agent/workspace/mcp';
import { type Environment, type LoadedConfig, loadConfig } from './config/load-config.ts';
import { type RunDirectories, toExpiryDays, toRunDirectories } from './config/run-directories.ts';
import { listReservedKeys } from './config/schema.ts';
import { collectSecrets, listShortSecrets } from './config/secrets.ts';
import { createWaker } from './create-waker.ts';
import { serveBoard } from './http/serve-board.ts';
import { keepPrivate } from './keep-private.ts';
import { openScreen } from './live/open-screen.ts';
import { loadRuns } from './load-run-parts.ts';
import { createLogger, type DaemonLogger, type LogFormat } from './log/logger.ts';
import { checkModelSettings } from './model/check-model-settings.ts';
import { openSandbox } from './open-sandbox.ts';
import { connectPlatforms } from './platforms/connect-platforms.ts';

export interface StartDaemonOptions {
  readonly configFile: string;
  readonly environment: Environment;
  readonly logFormat: LogFormat;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly once: boolean;
  /** Whether a terminal gets a live view of the tasks below the log. */
  readonly live: boolean;
  readonly shutdown: AbortSignal;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Cleans what strangers wrote; ended with the daemon. Default: one that starts when it is needed. */
  readonly textWorker?: TextWorker | undefined;
}

/**
 * Puts the daemon together from its configuration and runs it until it is told to end.
 *
 * @returns whether everything that was asked of it could be done
 * @throws ConfigError, PlatformError, ContextStoreError when it cannot start; the message says what to do
 */
export async function startDaemon(options: StartDaemonOptions): Promise<boolean> {
  const loaded = await loadConfig(options.configFile, options.environment);
  checkModelSettings(loaded.config.llm, loaded.environment);
  const secrets = createSecretFilters(collectSecrets(loaded.config, loaded.environment));
  const redact = secrets.redactOutgoing;
  const { level } = loaded.config.log;
  const board = new TaskBoard({ now: options.now });
  const screen = await openScreen({ ...options, board });
  const logger = createLogger({ level, format: options.logFormat, redact, output: screen.output });
  for (const key of listReservedKeys(loaded.config))
    logger.warn({ key }, 'this key has no effect so far; nothing is done for it');
  for (const variable of listShortSecrets(loaded.config, loaded.environment)) {
    logger.warn(
      { variable },
      'this secret is too short to be told from ordinary words: it is not hidden by its value',
    );
  }
  const directories = toRunDirectories(loaded);
  try {
    await keepPrivate(directories.contexts);
    const lost = new AbortController();
    const onLost = (): void => lost.abort(new Error('another process has taken the directory of runs'));
    const lock = await acquireLock({ path: join(directories.contexts, 'lock.json'), onLost, logger });
    const shutdown = AbortSignal.any([options.shutdown, lost.signal]);
    const foundations = { loaded, redact, secrets, logger, directories, board };
    const stopKeeping = keepConditions(board, { directory: directories.contexts, redact, logger });
    const done = await runLocked({ ...options, shutdown }, foundations)
      .finally(stopKeeping)
      .finally(() => lock.release());
    return done && !lost.signal.aborted;
  } finally {
    screen.close();
  }
}

interface Foundations {
  readonly loaded: LoadedConfig;
  readonly redact: Redact;
  readonly secrets: SecretFilters;
  readonly logger: DaemonLogger;
  readonly directories: RunDirectories;
  readonly board: TaskBoard;
}

async function runLocked(options: StartDaemonOptions, foundations: Foundations): Promise<boolean> {
  const { loaded, logger, board, directories } = foundations;
  const { shutdown, textWorker = createTextWorker() } = options;
  const sayThatItEnds = (): void => {
    board.observe({ type: 'shutdown' });
    logger.info({}, 'ending after the steps under way; a second signal ends at once');
  };
  shutdown.addEventListener('abort', sayThatItEnds, { once: true });
  const { observe } = board;
  const sandbox = await openSandbox({ ...options, ...foundations });
  const doorbell = createDoorbell();
  const platforms = await connectPlatforms({ loaded, logger, observe, signal: shutdown, doorbell });
  const { contexts, paused, pauseSignalFile } = directories;
  for (const { platform } of platforms)
    observe({
      type: 'condition',
      part: `platform:${platform.name}`,
      state: 'waiting',
      reason: 'not looked at yet',
    });
  const lookAtDisk = () => checkDisk({ directory: contexts, observe });
  await lookAtDisk();
  const places = { baseDirectory: contexts, pausedDirectory: paused };
  const openIndex = openRunIndex({ ...places, now: options.now, logger });
  const store = openStore(places, { openIndex, logger });
  const upkeep = createUpkeep({
    ...places,
    openIndex,
    days: toExpiryDays(loaded.config),
    now: options.now,
    removeEndedWork: (before) =>
      removeExpiredWork({ directories, environment: loaded.environment, logger }, before),
    logger,
  });
  const hopeless = new AbortController();
  // Known from the first task on: what asks a model costs time that a daemon without work need not spend.
  let modelWatch: ModelWatch | null = null;
  const openModelWatch = async (): Promise<ModelWatch> => {
    const { watchModel } = await import('@agent/orchestrator/parts');
    modelWatch ??= watchModel({
      once: options.once,
      stepTimeoutMs: loaded.config.llm.step_timeout_seconds * 1_000,
      observe,
      logger,
      locale: processLocale(loaded.environment),
      hideKnownSecrets: foundations.secrets.hideKnownSecrets,
      onReturn: () => queue.beginWaiting(),
      onGivenUp: () => {
        hopeless.abort();
      },
    });
    return modelWatch;
  };
  observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
  const controls = createFileRunControls({ baseDirectory: contexts, now: options.now });
  const mcp = shareMcpServers({
    servers: loaded.config.mcp_servers,
    environment: loaded.environment,
    directory: loaded.directory,
    redact: foundations.redact,
    logger,
    shutdown,
  });
  const load = loadRuns({
    ...options,
    ...foundations,
    store,
    controls,
    observe,
    mcp,
    sandbox,
    openIndex,
    openModelWatch,
    textWorker,
  });
  const { enabled: pauses, paused_task_expiry_days: pausedTaskExpiryDays } = loaded.config.pause_resume;
  let refused = 0;
  const queue = new MemoryTaskQueue({
    concurrency: loaded.config.concurrency,
    sleep: options.sleep,
    holdBack: (task, running) =>
      waitForModel(modelWatch, running) ?? waitForBudget(platforms, { task, running }),
  });
  const waker = createWaker(options.sleep);
  const reader = openReader(directories);
  const listener = createPausedListener({
    reader,
    store,
    doorbell,
    wake: waker.wake,
    hearing: {
      settings: loaded.config.comment_detection,
      controls,
      textWorker,
      logLocale: processLocale(loaded.environment),
      hideKnownSecrets: foundations.secrets.hideKnownSecrets,
      assumes: false,
      shutdown,
      now: options.now,
    },
    reactions: loaded.config.comment_detection.reactions,
    logger,
  });
  const closeHttp = await serveBoard({
    ...options,
    ...foundations,
    ...loaded,
    doorbell,
    wake: waker.wake,
    board: () => board.state,
    queue: {
      waiting: async () => (await queue.waiting()).map(({ key }) => key),
      hold: () => queue.hold(),
    },
  });
  logger.info({ concurrency: loaded.config.concurrency, contexts }, 'ready');
  const recovery = createRunRecovery({
    store,
    controls,
    platforms,
    listener,
    failed: createFailedRuns({ reader, controls, platforms, now: options.now, logger }),
    pausedTaskExpiryDays,
    now: options.now,
    logger,
  });
  const worker = createTaskWorker({
    load,
    platforms,
    readRun: reader.readRun,
    giveUp: recovery.giveUp,
    mayRetry: (error) => {
      if (shutdown.aborted) return false;
      refused += 1;
      return isTransient(error) && !options.once;
    },
    logger,
  });
  const looked = await runTasks(
    {
      platforms,
      queue,
      worker,
      recovery,
      isPaused: () => (pauses ? isPauseSignalled(pauseSignalFile) : Promise.resolve(false)),
      logger,
      observe,
      keepUp: () => {
        upkeep.begin();
        void lookAtDisk();
      },
      sleep: waker.sleep,
    },
    {
      once: options.once,
      pollIntervalMs: loaded.config.poll_interval_seconds * 1_000,
      signal: AbortSignal.any([shutdown, hopeless.signal]),
    },
  )
    .finally(upkeep.settle)
    .finally(mcp.close)
    .finally(textWorker.close)
    .finally(closeHttp);
  const failed = options.once ? board.state.counts.runsEnded.failed : 0;
  return looked && refused === 0 && failed === 0 && !hopeless.signal.aborted;
}

/** A task begins while the model's endpoint answers, or alone, to try it. */
function waitForModel(watch: ModelWatch | null, running: readonly QueueEntry[]): Hold | null {
  const waitMs = watch?.holdMs(running.length) ?? 0;
  return waitMs > 0 ? { reason: "the model's endpoint", waitMs } : null;
}

/** A task begins when its platform has requests left for a whole run beside those under way. */
function waitForBudget(
  platforms: readonly ConfiguredPlatform[],
  {
    task: { platform: host },
    running,
  }: { readonly task: QueueEntry; readonly running: readonly QueueEntry[] },
): Hold | null {
  const found = platforms.find(({ platform }) => platform.host === host);
  const waitMs = found?.runWaitMs(running.filter(({ platform }) => platform === host).length) ?? 0;
  return waitMs > 0 ? { reason: `the request budget of ${host}`, waitMs } : null;
}

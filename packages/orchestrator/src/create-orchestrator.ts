import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { requireNotMoved } from '@agent/run-store';
import { createSecretFilters } from '@agent/text/outgoing';
import { createTextWorker } from '@agent/text/worker';
import { createProtection } from '@agent/workspace/config';
import type { LanguageModel } from 'ai';
import type { ObserveBoard } from './board/board-event.ts';
import { keepProblemLog } from './board/problem-log.ts';
import { keepReport, toReport } from './board/process-reports.ts';
import { readServiceState, shareForAMoment } from './board/read-service-state.ts';
import { TaskBoard } from './board/task-board.ts';
import { watchSlowness } from './board/watch-slowness.ts';
import { createSettings } from './config/live-settings.ts';
import { parseRunSettings } from './config/run-settings.ts';
import { connectAll } from './connection/connect-platforms.ts';
import { openFileStorage, toRecordDirectories } from './host/open-storage.ts';
import { type LoadModel, type RunDirectories, silentLogger } from './host/ports.ts';
import {
  checkOrchestratorOptions,
  checkRunOptions,
  type OrchestratorOptions,
  type RunOptions,
} from './orchestrator-options.ts';
import { OneThread } from './queue/one-thread.ts';
import { openDiskGate } from './queue/open-disk-gate.ts';
import { requireOneOwner } from './queue/share-work.ts';
import { runWork, type WorkOptions } from './run-work.ts';
import { WorkServing } from './serve-work.ts';
import { noTelemetry } from './telemetry/run-telemetry.ts';

/** Finds tasks, runs them and reports on them. */
export interface Orchestrator {
  /** Shows what happens now. */
  readonly board: TaskBoard;
  /**
   * Finds tasks and runs them until the signal is aborted, which aborts the steps under way, or with `once` until nothing is left to do.
   *
   * @returns whether everything that was asked could be done
   * @throws {TypeError} for an unknown option, and during another call of this orchestrator
   * @throws ContextStoreError when another process owns the directory, or has taken it, or when its runs were copied elsewhere; and what
   * connecting throws
   */
  readonly run: (options?: RunOptions) => Promise<boolean>;
}

/**
 * Puts together what carries tasks from a thread to its answer. Nothing is read or written before `run`.
 *
 * @throws {TypeError} that names an option which is missing, unknown or invalid
 *
 * @example
 * const orchestrator = createOrchestrator({ platforms: [platform], model, directory: './agent' });
 * await orchestrator.run({ once: true });
 */
export const createOrchestrator: (options: OrchestratorOptions) => Orchestrator = (options) => {
  checkOrchestratorOptions(options);
  const {
    platforms,
    model,
    directory,
    storage: given,
    role = 'both',
    version = null,
    settings = parseRunSettings({}),
    concurrency = 1,
    pollIntervalMs = 30_000,
    live = createSettings({
      limits: settings.limits,
      concurrency,
      poll_interval_seconds: pollIntervalMs / 1_000,
    }),
    secrets = [],
    environment = {},
    hidden = [],
    openMcp = () => ({ tools: async () => ({}), listWaiting: async () => [], close: async () => {} }),
    serve = async () => async () => {},
    telemetry = noTelemetry,
    logger = silentLogger,
    onLost = () => {},
    textWorker = createTextWorker(),
    sleep = sleepRealTime,
    now: givenClock,
    monotonicNow,
    board = new TaskBoard({ now: givenClock }),
  } = options;
  const now = givenClock ?? Date.now;
  const directories = toDirectories(directory);
  const filters = createSecretFilters(secrets);
  const protection = createProtection(settings.environments, {});
  const connect =
    typeof platforms === 'function'
      ? platforms
      : connectAll(platforms, { directories, secrets, logger, environment, protection, now: givenClock });
  const loadModel = typeof model === 'function' ? model : async () => toConfiguredModel(model);
  const stepTimeoutMs = settings.llm.step_timeout_seconds * 1_000;
  const slowness = watchSlowness({ observe: board.observe, stepTimeoutMs, now });
  const observe: ObserveBoard = (event) => {
    slowness.observe(event);
    telemetry.observe(event);
  };
  const work = (
    place: Pick<WorkOptions, 'storage' | 'disk' | 'owner'>,
    serving: WorkServing,
    { once, only, shutdown }: Pick<WorkOptions, 'once' | 'only' | 'shutdown'>,
  ) =>
    runWork(
      {
        connect,
        loadModel,
        openMcp,
        serving,
        telemetry: { ...telemetry, observe },
        ...{ board, logger, textWorker, filters, clock: { now, monotonicNow, sleep } },
      },
      {
        ...place,
        role,
        once,
        only,
        shutdown,
        directories,
        settings,
        live,
        secrets,
        environment,
        hidden,
      },
    );
  const runAlone = async ({
    thread,
    once = thread !== undefined,
    signal = new AbortController().signal,
  }: RunOptions): Promise<boolean> => {
    const storage = given ?? (await openFileStorage(directories, { now, logger }));
    if (thread !== undefined) requireOneOwner(storage);
    const only = thread === undefined ? null : new OneThread(thread.name);
    const startedAt = now();
    let number = notAcquired;
    const describe = () => {
      const { concurrency: most } = live.current();
      return { number, host: hostname(), role, version, startedAt, concurrency: most };
    };
    const redact = filters.redactOutgoing;
    const worktrees = role === 'look' ? null : directories.workspaces;
    const disk = openDiskGate({ storage, worktrees, once, observe: board.observe, logger, now });
    const readService = shareForAMoment({ board, now }, async () => {
      await disk.check();
      slowness.check();
      const report = toReport(board.state, { process: describe(), redact });
      const own = { ...report, isEnding: board.state.ending };
      return readServiceState({ storage, own, now: now() });
    });
    const serving = new WorkServing(serve, { readService });
    const acquired = new AbortController();
    if (storage.sharing !== null && !once) {
      const early = AbortSignal.any([signal, acquired.signal]);
      void sleep(lateMs, early)
        .then(() => (early.aborted ? undefined : serving.start({ queue: null, doorbell: null, wake: null })))
        // The start of the work meets the same failure and reports it.
        .catch(() => {});
    }
    const owner = await storage.members
      .acquire({ exclusive: storage.sharing === null, signal })
      .catch(async (error: unknown) => {
        await serving.stop();
        throw error;
      })
      .finally(() => acquired.abort());
    const { lost, release } = owner;
    number = owner.number;
    const stopKeeping = await keepReport(board, { storage, describe, redact, logger });
    const stopLogging = keepProblemLog(board, { readService, number, logger, now });
    const working = requireNotMoved(storage)
      .then(() =>
        work({ storage, disk, owner }, serving, {
          once,
          only,
          shutdown: AbortSignal.any([signal, lost]),
        }),
      )
      .then((isGood) => {
        const idle = isGood && !signal.aborted ? (only?.idle ?? null) : null;
        if (idle !== null) thread?.onIdle({ ...idle, directory: directories.contexts });
        return isGood;
      })
      .finally(stopLogging)
      .finally(stopKeeping)
      .finally(release);
    return Promise.race([working, rejectWhenLost(lost, onLost)]);
  };
  let isRunning = false;
  return {
    board,
    run: async (given = {}) => {
      checkRunOptions(given);
      if (isRunning) throw new TypeError('The orchestrator is running. Wait until its run ends.');
      isRunning = true;
      return runAlone(given).finally(() => {
        isRunning = false;
      });
    },
  };
};

/** Number of a process that has not acquired its storage yet. */
const notAcquired = -1;

/** A database that has not let the process in by then is away: the process is served, not ready, and waits for it. */
const lateMs = 5_000;

/** Rejects at once: what is under way is fenced off, and not waited for. */
function rejectWhenLost(lost: AbortSignal, onLost: (reason: Error) => void): Promise<never> {
  return new Promise((_, reject) => {
    const tell = (): void => {
      reject(lost.reason);
      onLost(lost.reason);
    };
    if (lost.aborted) tell();
    else lost.addEventListener('abort', tell, { once: true });
  });
}

async function sleepRealTime(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {});
}

function toDirectories(directory: string | RunDirectories): RunDirectories {
  if (typeof directory !== 'string') return directory;
  return {
    ...toRecordDirectories(resolve(directory, 'contexts')),
    workspaces: resolve(directory, 'workspaces'),
  };
}

/** Tokens that a model takes of which nothing is known. */
const contextLength = 128_000;

function toConfiguredModel(model: LanguageModel): Awaited<ReturnType<LoadModel>> {
  const named = typeof model === 'string' ? { provider: 'gateway', modelId: model } : model;
  const description = { provider: named.provider, model: named.modelId, contextLength };
  return { model, chatModel: null, description, secret: null, endpoint: null };
}

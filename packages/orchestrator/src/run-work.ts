import type { Ownership, RunStorage } from '@agent/run-store';
import type { RunTools } from '@agent/runner';
import { processLocale } from '@agent/text/locale';
import type { SecretFilters } from '@agent/text/outgoing';
import type { SecretValues } from '@agent/text/secrets';
import type { TextWorker } from '@agent/text/worker';
import type { ObserveBoard } from './board/board-event.ts';
import type { TaskBoard } from './board/task-board.ts';
import { toWatchSettings } from './config/follow-up-settings.ts';
import type { LiveSettings, WorkSettings } from './config/live-settings.ts';
import { type RunSettings, toRetentionDays } from './config/run-settings.ts';
import { connectPatiently } from './connection/connect-patiently.ts';
import type { ConnectPlatforms } from './connection/connect-platforms.ts';
import { openCredentials } from './connection/kept-use.ts';
import { modelWhileOwned, platformWhileOwned } from './connection/while-owned.ts';
import { tellingOfComments } from './connection/with-outgoing-gate.ts';
import { openAgentGate } from './environment/open-agent-gate.ts';
import { openSandbox } from './environment/open-sandbox.ts';
import { createEndedThreads } from './follow-up/ended-threads.ts';
import { openRecords } from './host/open-records.ts';
import type { Clock, Environment, LoadModel, RunDirectories, RunLogger } from './host/ports.ts';
import { toListeningClock } from './inbox/run-inbox-options.ts';
import { createUpkeep, removeExpiredWork } from './inheritance/upkeep.ts';
import type { ShowPause } from './lifecycle/show-pause.ts';
import { createPausedListener } from './listening/paused-listener.ts';
import { createPausedWatch } from './listening/watch-paused.ts';
import { loadRuns } from './load-runs.ts';
import { openModelGate } from './models/open-model-gate.ts';
import { UnsettledRuns } from './outbox/unsettled-runs.ts';
import { LastOutcomes } from './outcome/last-outcomes.ts';
import { createTaskWorker } from './queue/create-task-worker.ts';
import { createFailedRuns } from './queue/failed-runs.ts';
import { HurriedRuns } from './queue/hurried-runs.ts';
import type { OneThread } from './queue/one-thread.ts';
import type { DiskGate } from './queue/open-disk-gate.ts';
import { findBudget, openWorkQueue } from './queue/open-work-queue.ts';
import { createRunRecovery } from './queue/run-recovery.ts';
import { runTasks } from './queue/run-tasks.ts';
import { createWaker, shareWork, type WorkRole } from './queue/share-work.ts';
import { createTellFailedTask } from './queue/tell-failures.ts';
import { watchLeftRuns } from './queue/watch-left-runs.ts';
import type { WorkServing } from './serve-work.ts';
import { noteUsedUpDay, openSpending } from './spending/run-spending.ts';
import { createAuditLog } from './state/audit-log.ts';
import { Holds } from './state/holds.ts';
import { notPolledYet } from './state/service-state.ts';
import type { RunTelemetry } from './telemetry/run-telemetry.ts';
import { createTextCleaner } from './thread/text-guard.ts';

/** Opens servers of tools when the first task needs them. */
export type OpenMcp = (at: { readonly shutdown: AbortSignal }) => {
  /** Under names that begin with their server's. */
  readonly tools: () => Promise<RunTools>;
  /** Lists tools that wait for an operator, such as `mcp:tracker/list`. */
  readonly listWaiting: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

/** Services that the work is done with. */
export interface WorkServices {
  readonly connect: ConnectPlatforms;
  readonly loadModel: LoadModel;
  readonly openMcp: OpenMcp;
  readonly serving: WorkServing;
  readonly board: TaskBoard;
  readonly telemetry: RunTelemetry;
  readonly logger: RunLogger;
  readonly textWorker: TextWorker;
  readonly clock: Clock;
  readonly filters: SecretFilters;
}

/** Settings and places of the work. */
export interface WorkOptions {
  /** Keeps the runs. */
  readonly storage: RunStorage;
  readonly disk: DiskGate;
  /** Lets this process write there. */
  readonly owner: Ownership;
  /** Part of this process in the work; `both` where it has the place for itself. */
  readonly role: WorkRole;
  readonly once: boolean;
  /** The thread that this process works on; null for all that are found. */
  readonly only: OneThread | null;
  readonly shutdown: AbortSignal;
  readonly directories: RunDirectories;
  readonly settings: RunSettings;
  /** Settings that may change while the work goes on. */
  readonly live: LiveSettings<WorkSettings>;
  readonly secrets: SecretValues;
  readonly environment: Environment;
  readonly hidden: readonly string[];
}

/**
 * Connects to the platforms, then finds tasks and runs them until the shutdown, or with `once` until nothing is left.
 *
 * @returns whether everything that was asked could be done
 */
export async function runWork(services: WorkServices, options: WorkOptions): Promise<boolean> {
  const { connect, loadModel, openMcp, serving, board } = services;
  const { telemetry, logger, textWorker, clock, filters } = services;
  const { storage, disk, owner, once, only, shutdown, directories, settings, environment, live } = options;
  const { now, sleep } = clock;
  const outcomes = new LastOutcomes();
  const observe: ObserveBoard = (event) => {
    for (const one of [board, telemetry, ...(once ? [outcomes] : [])]) one.observe(event);
    only?.observe(event);
  };
  const isShared = storage.sharing !== null;
  const works = options.role !== 'look';
  const tellShutdown = (): void => {
    observe({ type: 'shutdown' });
    logger.info({}, 'shutting down; a second signal exits immediately');
  };
  shutdown.addEventListener('abort', tellShutdown, { once: true });
  const sandbox = await openSandbox({ ...options, observe, logger });
  const waker = createWaker(sleep);
  const onLead = (leads: boolean) => observe({ type: 'lead', leads });
  const ties = await shareWork(storage, { role: options.role, once, onLead, onWake: waker.wake, logger });
  const over = new AbortController();
  try {
    const { doorbell } = ties;
    let begun: { readonly beginWaiting: () => void } | null = null;
    const beginWaiting = () => begun?.beginWaiting();
    const holds = new Holds({
      ...{ now, logger, earlier: board.state.earlierHolds },
      onChange: (list) => observe({ type: 'holds', holds: list }),
    });
    const gates = { once, settings, environment, observe, logger };
    const agent = await openAgentGate({ ...gates, works, beginWaiting });
    const shared = openCredentials(storage, { now, signal: AbortSignal.any([owner.lost, over.signal]) });
    const place = { observe, doorbell, shared, owner, signal: shutdown };
    const onWaiting = () => serving.start({ doorbell, wake: ties.wake, queue: null });
    const patience = { once, observe, logger, sleep, shutdown, onWaiting };
    const connected = await connectPatiently(() => connect(place), patience);
    const all = connected.map((one) => {
      const { name } = one.platform;
      const platform = tellingOfComments(one.platform, () => observe({ type: 'comment', platform: name }));
      return platformWhileOwned({ ...one, platform }, owner);
    });
    const named = { platforms: all, branchPrefix: settings.branch_prefix, signal: shutdown };
    const platforms = (await only?.open(named)) ?? all;
    // Of processes that share a place one looks: the others are ready without it.
    const unpolled = { type: 'condition', state: 'waiting', reason: notPolledYet } as const;
    if (!isShared)
      for (const { platform } of platforms) observe({ ...unpolled, part: `platform:${platform.name}` });
    await disk.check();
    const opened = openRecords(storage, owner);
    const records = only?.narrow(opened) ?? opened;
    const { reader, store } = records;
    const removeEndedWork = (before: number) =>
      removeExpiredWork(
        { workspaces: directories.workspaces, listKept: reader.listKept, environment, logger },
        before,
      );
    const retentionDays = toRetentionDays(settings);
    const upkeep = createUpkeep({ storage, retentionDays, removeEndedWork, now, logger });
    const gate = openModelGate({ ...gates, ...filters, onReturn: beginWaiting });
    const { controls, pauseSignal, notes } = storage;
    const isPaused = async () => settings.pause_resume.enabled && (await pauseSignal.isSet());
    const spending = openSpending({ ...options, holds }, clock);
    const money = spending?.money;
    await noteUsedUpDay(spending, logger);
    const listFreed = () => money?.listFreed() ?? [];
    const hurried = new HurriedRuns({ controls, listFreed, logger });
    const queue = openWorkQueue(storage, {
      ...{ platforms, readConcurrency: () => live.current().concurrency, isPaused, clock, logger, holds },
      holdMs: (running, task) =>
        disk.holdMs() || gate.holdMs(running) || agent.holdMs() || (once ? 0 : worker.othersFirstMs(task)),
      money: once ? undefined : money,
      isHurried: (uuid) => hurried.has(uuid),
      once,
    });
    begun = queue;
    const show: ShowPause = async (resting) => (await load()).showPause(resting);
    const hearing = {
      spending,
      settings: settings.comment_detection,
      ...{ controls, textWorker, redactSecrets: filters.redactOutgoing, shutdown, now },
      ...{ audit: createAuditLog(notes, { logger, now }), clock: toListeningClock(clock, shutdown) },
      ...{ logLocale: processLocale(environment), assumes: false },
      approvalPhrases: settings.planning.approval_phrases,
    };
    const { enabled: hears, ignore_users: ignored, include_review_comments: reviews } = hearing.settings;
    const clean = createTextCleaner({ textWorker, logger });
    const conversation = { settings: settings.follow_up, hears, reviews, ignored, notes, clean };
    const listener = createPausedListener({
      ...{ reader, store, show, doorbell, hearing, logger },
      ...{ wake: waker.wake, reactions: hearing.settings.reactions },
      followUp: toWatchSettings(settings.follow_up),
    });
    const watch = createPausedWatch({
      ...{ store, controls, doorbell, now, logger },
      settings: settings.task_stop,
    });
    const recovery = createRunRecovery({
      store,
      controls,
      platforms,
      listener: { listen: async (held) => listener.listen(await watch.check(held)) },
      failed: {
        ...createFailedRuns({ reader, controls, platforms, now, logger }),
        ...createEndedThreads({ ...conversation, platforms, reader, once, now, logger }),
      },
      readRun: reader.readRun,
      isShownApart: async (key) => isShared && queue.knows(key),
      show,
      pausedTaskExpiryDays: settings.pause_resume.paused_task_expiry_days,
      now,
      logger,
    });
    const mcp = openMcp({ shutdown });
    const unsettled = new UnsettledRuns({ observe, logger, now, sleep, shutdown, once, isShared });
    const helpers = {
      loadModel: async () => modelWhileOwned(await loadModel(), owner),
      ...{ openWatch: gate.openWatch, mcp, findAgent: agent.find },
      ...{ textWorker, sandbox, logger, observe, unsettled, doorbell },
    };
    const load = loadRuns(helpers, { ...options, records, filters, spending, clock, telemetry });
    const worker = createTaskWorker({
      ...{ load, platforms, reader, controls, listFreed, giveUp: recovery.giveUp },
      isLeft: (entry) => once && money !== undefined && findBudget(money, entry) !== null,
      tell: createTellFailedTask({ platforms, locale: settings.locale, observe, logger }),
      shared: isShared ? { ...queue, report: unsettled.report } : undefined,
      ...{ now, logger },
    });
    await serving.start({ doorbell, wake: ties.wake, queue });
    logger.info({ concurrency: live.current().concurrency, runs: storage.location }, 'ready');
    const hearRequests = async () => {
      for (const uuid of await hurried.read()) unsettled.hurry(uuid);
    };
    // The next poll rests on what was asked until then.
    const sleepAndHear: typeof waker.sleep = async (milliseconds, signal) => {
      await waker.sleep(milliseconds, signal);
      if (!signal.aborted) await hearRequests();
    };
    let beside: Promise<unknown> = hearRequests();
    const keepUp = (): void => {
      upkeep.begin();
      money?.refresh();
      holds.expire();
      beginWaiting();
      beside = Promise.all([
        beside,
        once ? hearRequests() : null,
        disk.check(),
        agent.look(),
        once ? null : gate.probe({ running: board.state.running.size, signal: shutdown }),
        unsettled.forgetSettled(reader),
        worker.forgetTaken(),
      ]);
    };
    const shown = recovery.showOpen(isPaused);
    const ended = new AbortController();
    const watched = watchLeftRuns({
      ...{ queue, reader, logger, isLooking: ties.isLooking },
      isCarried: (uuid) => board.state.running.has(uuid),
      isHeld: async () => !isShared && (await isPaused()),
      correct: async (uuid) => (await load()).correctLeft(uuid, platforms),
      signal: AbortSignal.any([shutdown, ended.signal]),
    });
    const unsubscribe = live.subscribe(() => {
      hurried.noteReload();
      waker.wake();
    });
    const givenUp = [gate.givenUp, agent.givenUp, disk.givenUp];
    const polled = await runTasks(
      {
        ...{ platforms, queue, worker, recovery, isPaused, logger, observe, keepUp },
        ...{ sleep: sleepAndHear, priorities: settings.queue.priorities },
      },
      {
        ...{ once, readPollIntervalMs: () => live.current().poll_interval_seconds * 1_000 },
        shared: isShared ? { isLooking: ties.isLooking, works } : undefined,
        signal: AbortSignal.any([shutdown, ...givenUp]),
      },
    )
      .finally(unsubscribe)
      .finally(() => shown)
      .finally(() => ended.abort())
      .finally(() => watched)
      .finally(unsettled.whenIdle)
      .finally(upkeep.settle)
      .finally(mcp.close)
      .finally(textWorker.close)
      .finally(serving.stop)
      .finally(() => beside);
    only?.noteEnd({ isAllPaused: await isPaused() });
    return polled && outcomes.areGood && unsettled.count === 0 && !givenUp.some(({ aborted }) => aborted);
  } finally {
    over.abort();
    await serving.stop();
    await ties.close();
  }
}

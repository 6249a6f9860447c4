import type { Doorbell } from '@agent/platforms/sources';
import type { RunStorage } from '@agent/run-store';
import { processLocale } from '@agent/text/locale';
import type { SecretFilters } from '@agent/text/outgoing';
import type { SecretValues } from '@agent/text/secrets';
import type { TextWorker } from '@agent/text/worker';
import type { SharedMcpServers } from '@agent/workspace/mcp';
import type { CommandSandbox } from '@agent/workspace/sandbox';
import { createKnownRepositories } from './admission/known-repositories.ts';
import type { ObserveBoard } from './board/board-event.ts';
import type { LiveSettings, WorkSettings } from './config/live-settings.ts';
import { readPlanningChoice } from './config/planning-settings.ts';
import type { RunSettings } from './config/run-settings.ts';
import type { FindAgent } from './environment/open-agent-gate.ts';
import { parseMessage, type RunRecords } from './host/open-records.ts';
import type { Clock, Environment, LoadModel, RunLogger } from './host/ports.ts';
import type { ModelGate } from './models/open-model-gate.ts';
import type { UnsettledRuns } from './outbox/unsettled-runs.ts';
import type { Runs } from './parts/assemble-runs.ts';
import type { SpendingServices } from './spending/run-spending.ts';
import { createAuditLog } from './state/audit-log.ts';
import type { RunTelemetry } from './telemetry/run-telemetry.ts';
import { createHandoverRecords, createUnansweredRecords } from './triggers/handover-records.ts';

/** Services that runs are carried out with, beside their records. */
export interface RunHelpers {
  readonly loadModel: LoadModel;
  readonly openWatch: ModelGate['openWatch'];
  readonly mcp: Pick<SharedMcpServers, 'tools' | 'listWaiting'>;
  readonly findAgent: FindAgent;
  readonly textWorker: TextWorker;
  readonly sandbox: CommandSandbox;
  readonly logger: RunLogger;
  readonly observe: ObserveBoard;
  readonly unsettled: UnsettledRuns;
  /** Rung by webhooks. */
  readonly doorbell: Pick<Doorbell, 'hasNotified' | 'onRing'>;
}

/** Settings and places of runs. */
export interface RunPlaces {
  readonly storage: RunStorage;
  readonly settings: RunSettings;
  readonly live: LiveSettings<WorkSettings>;
  readonly environment: Environment;
  readonly secrets: SecretValues;
  readonly shutdown: AbortSignal;
  readonly records: RunRecords;
  readonly filters: SecretFilters;
  /** Money of all runs; null where no price is known. */
  readonly spending: SpendingServices | null;
  readonly clock: Clock;
  readonly telemetry: Pick<RunTelemetry, 'carry'>;
}

/**
 * Gives the life of runs, made at the first call: the model and the servers of tools cost time that a process without work
 * need not spend. Asked again after a failure, it tries again.
 */
export function loadRuns(helpers: RunHelpers, places: RunPlaces): () => Promise<Runs> {
  let loading: Promise<Runs> | null = null;
  return () => {
    loading ??= makeRuns(helpers, places).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function makeRuns(helpers: RunHelpers, places: RunPlaces): Promise<Runs> {
  const { loadModel, openWatch, mcp, textWorker, sandbox, logger, observe, unsettled, doorbell } = helpers;
  const { storage, settings, environment, shutdown, records, filters, clock } = places;
  const { controls, pauseSignal, notes, snapshots, sharing } = storage;
  const { reader, store } = records;
  const { assembleRuns, createEarlierRuns, createOpenRunModels, findContextLength, openPrePlanning } =
    await import('./parts/index.ts');
  const modelWatch = await openWatch();
  const model = await loadModel();
  logger.info({ model: model.description.model }, 'selected model');
  const mcpTools = await mcp.tools();
  const choice = readPlanningChoice(settings.planning, { environment, logger });
  const prePlanning = await openPrePlanning(choice.prePlanning, {
    contextLength: findContextLength(model, ['planning']),
    maxRetries: settings.llm.max_retries,
    timeoutMs: settings.llm.step_timeout_seconds * 1_000,
    hideKnownSecrets: filters.hideKnownSecrets,
    logger,
  });
  const logLocale = processLocale(environment);
  const contextLength = findContextLength(model, ['work']);
  const { context_inheritance: inheritance, time_zone: timeZone } = settings;
  const { now, monotonicNow, sleep } = clock;
  const past = {
    config: inheritance,
    mode: choice.planning === null ? ('normal' as const) : ('planning' as const),
    secrets: places.secrets,
    readRun: reader.readRun,
    ...{ contextLength, storage, textWorker, logLocale, timeZone, now },
  };
  return assembleRuns({
    earlierRuns: inheritance.enabled ? createEarlierRuns(past) : null,
    prePlanning,
    plans: choice.planning !== null,
    readRun: storage.openReader({ parseMessage }).readRun,
    listKept: reader.listKept,
    handovers: createHandoverRecords(notes, { logger }),
    repositories: createKnownRepositories(notes),
    unanswered: createUnansweredRecords(notes),
    reader,
    unsettled,
    audit: createAuditLog(notes, { logger, now }),
    doorbell,
    findAgent: helpers.findAgent,
    telemetry: places.telemetry,
    spending: places.spending,
    openModels: createOpenRunModels({
      ...{
        model,
        watch: modelWatch,
        prices: settings.llm.prices,
        spending: places.spending,
        observe,
        logger,
      },
    }),
    secrets: filters,
    readLimits: () => places.live.current().limits,
    settings: { ...settings, planning: choice.planning ?? settings.planning },
    ...{
      store,
      controls,
      pauseSignal,
      snapshots,
      sharing,
      model,
      modelWatch,
      textWorker,
      sandbox,
      environment,
      mcpTools,
      listWaitingTools: mcp.listWaiting,
    },
    ...{ logger, logLocale, observe, shutdown, sleep, now, monotonicNow },
  });
}

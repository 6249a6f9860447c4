import { join } from 'node:path';
import {
  createHandoverRecords,
  type ModelWatch,
  openReader,
  parseMessage,
  type RunIndex,
  type RunServices,
  type Runs,
  readPrePlanningConfig,
} from '@agent/orchestrator';
import { createFileRunReader } from '@agent/run-store/file';
import { processLocale } from '@agent/text/locale';
import type { SharedMcpServers } from '@agent/workspace/mcp';
import type { LoadedConfig } from './config/load-config.ts';
import type { RunDirectories } from './config/run-directories.ts';
import { collectSecrets } from './config/secrets.ts';
import type { DaemonLogger } from './log/logger.ts';
import { useMemory } from './spare-memory.ts';

export interface LoadRunsOptions
  extends Pick<
    RunServices,
    'shutdown' | 'sleep' | 'now' | 'secrets' | 'observe' | 'store' | 'controls' | 'sandbox' | 'textWorker'
  > {
  readonly loaded: LoadedConfig;
  readonly directories: RunDirectories;
  readonly logger: DaemonLogger;
  readonly mcp: Pick<SharedMcpServers, 'tools'>;
  readonly openIndex: () => Promise<RunIndex>;
  readonly openModelWatch: () => Promise<ModelWatch>;
}

/**
 * What runs share, made at the first call: the model and the MCP servers, which cost time that a daemon without
 * work need not spend.
 *
 * @throws ConfigError when the model is not there; asked again, it tries again
 */
export function loadRuns(options: LoadRunsOptions): () => Promise<Runs> {
  let loading: Promise<Runs> | null = null;
  return () => {
    loading ??= makeRuns(options).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function makeRuns(options: LoadRunsOptions): Promise<Runs> {
  useMemory();
  const { loaded, logger, directories } = options;
  const { config, environment, directory } = loaded;
  const [{ createModel }, { assembleRuns, createEarlierRuns, openPrePlanning, underWatch }] =
    await Promise.all([import('./model/create-model.ts'), import('@agent/orchestrator/parts')]);
  const modelWatch = await options.openModelWatch();
  const model = underWatch(await createModel(config.llm, { environment, directory }), modelWatch);
  logger.info({ model: model.description.model }, 'model chosen');
  const mcpTools = await options.mcp.tools();
  const { store, controls, textWorker, sandbox, shutdown, sleep, now, observe } = options;
  const { hideKnownSecrets } = options.secrets;
  const { pauseSignalFile, contexts: baseDirectory } = directories;
  const logLocale = processLocale(environment);
  const { context_inheritance: inheritance } = config;
  const secrets = collectSecrets(config, environment);
  const { openIndex } = options;
  const { readRun } = openReader(directories);
  const { readRun: readWholeRun } = createFileRunReader({
    baseDirectory,
    pausedDirectory: directories.paused,
    parseMessage,
  });
  const { contextLength } = model.description;
  const prePlanning = await openPrePlanning(readPrePlanningConfig(config.planning, { environment, logger }), {
    model,
    maxRetries: config.llm.max_retries,
    timeoutMs: config.llm.step_timeout_seconds * 1_000,
    hideKnownSecrets,
    logger,
  });
  const past = {
    config: inheritance,
    contextLength,
    baseDirectory,
    openIndex,
    readRun,
    secrets,
    textWorker,
    logLocale,
    timeZone: config.time_zone,
    now,
  };
  return assembleRuns({
    settings: config,
    store,
    earlierRuns: inheritance.enabled ? createEarlierRuns(past) : null,
    prePlanning,
    readRun: readWholeRun,
    controls,
    handovers: createHandoverRecords(join(baseDirectory, 'handovers'), { logger }),
    pauseSignalFile,
    model,
    modelWatch,
    textWorker,
    sandbox,
    mcpTools,
    logger,
    secrets: options.secrets,
    logLocale,
    observe,
    shutdown,
    sleep,
    now,
  });
}

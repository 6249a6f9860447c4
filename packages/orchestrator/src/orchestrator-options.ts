import type { Platform } from '@agent/platforms';
import type { RunStorage } from '@agent/run-store';
import {
  checkOptions,
  type Expectation,
  type ExpectationsOf,
  expected,
  expectList,
  expectNullable,
  expectNumber,
  expectOneOf,
  expectOptions,
  expectPort,
  isObject,
} from '@agent/text/options';
import type { SecretValues } from '@agent/text/secrets';
import type { TextWorker } from '@agent/text/worker';
import type { LanguageModel } from 'ai';
import type { TaskBoard } from './board/task-board.ts';
import type { LiveSettings, WorkSettings } from './config/live-settings.ts';
import { type RunSettings, runSettingsShape } from './config/run-settings.ts';
import type { ConnectPlatforms, PlatformSetup } from './connection/connect-platforms.ts';
import type { Environment, LoadModel, RunDirectories, RunLogger } from './host/ports.ts';
import type { OnlyThread } from './queue/one-thread.ts';
import type { WorkRole } from './queue/share-work.ts';
import type { OpenMcp } from './run-work.ts';
import type { ServeWork } from './serve-work.ts';
import type { RunTelemetry } from './telemetry/run-telemetry.ts';

/** Tasks of some platforms: where they come from, who works on them, and where that is kept. */
export interface OrchestratorOptions {
  /** Platforms on which people talk to the agent. By default threads are given to it by assignment, and worktrees have no token. */
  readonly platforms: readonly (Platform | PlatformSetup)[] | ConnectPlatforms;
  /** Any model of the AI SDK, or what makes one when the first task needs it. */
  readonly model: LanguageModel | LoadModel;
  /** Directory of runs and worktrees: one for all of it, or each. No two processes share one. */
  readonly directory: string | RunDirectories;
  /** Keeps the runs, and stays open. Default files of the directory, which has the worktrees alone where this is given. */
  readonly storage?: RunStorage | undefined;
  /** Part of this process in the work, where the storage is one that processes share. Default `both`. */
  readonly role?: WorkRole | undefined;
  /** Version of the program, for the state of the service. Default null. */
  readonly version?: string | null | undefined;
  /** Default: what an empty configuration means. */
  readonly settings?: RunSettings | undefined;
  /** Tasks that run at the same time. Default 1. */
  readonly concurrency?: number | undefined;
  /** Milliseconds between two polls for tasks. Default 30,000. */
  readonly pollIntervalMs?: number | undefined;
  /** Settings that may change while it works, in the place of `concurrency`, `pollIntervalMs` and the limits of `settings`. */
  readonly live?: LiveSettings<WorkSettings> | undefined;
  /** Values that must never leave the process. Default none. */
  readonly secrets?: SecretValues | undefined;
  /** For git, the language of the log and pre-planning. Default none. */
  readonly environment?: Environment | undefined;
  /** Files and directories that commands of the agent must not see, beside those of runs. Default none. */
  readonly hidden?: readonly string[] | undefined;
  /** Further tools, from MCP servers. Default none. */
  readonly openMcp?: OpenMcp | undefined;
  /** Serves what happens, once the platforms are connected. Default nothing. */
  readonly serve?: ServeWork | undefined;
  /** Shows what happens. Default a new one. */
  readonly board?: TaskBoard | undefined;
  /** Traces runs: `traceRuns` of `@agent/orchestrator/telemetry`. Default nothing. */
  readonly telemetry?: RunTelemetry | undefined;
  /** Default silent. */
  readonly logger?: RunLogger | undefined;
  /**
   * Called at once when another process has taken the directory, before `run` rejects: nothing leaves this process any
   * more, but its commands still run. A program of its own ends here. Default nothing.
   */
  readonly onLost?: ((reason: Error) => void) | undefined;
  /** Cleans what strangers wrote; ended with the work. Default one that starts when it is needed. */
  readonly textWorker?: TextWorker | undefined;
  /** Resolves after this long, or as soon as the signal is aborted. Default real time. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds of a clock that only moves forward. Default that of the process. */
  readonly monotonicNow?: (() => number) | undefined;
}

/** Options of `Orchestrator.run`. */
export interface RunOptions {
  /** True to end when nothing is left to do. Default false. */
  readonly once?: boolean | undefined;
  /** The one thread to work on, then to end. Default all threads that wait. */
  readonly thread?: OnlyThread | undefined;
  readonly signal?: AbortSignal | undefined;
}

const hasAll = (names: readonly string[]) => (value: unknown) =>
  isObject(value) && names.every((name) => value[name] !== undefined);

const expectPlatform: Expectation = {
  isMet: (value) =>
    expectPort('openThread').isMet(value) || (isObject(value) && value['platform'] !== undefined),
  text: 'a platform, such as createGitHubPlatform returns, or an object with a platform',
};

const setupExpectations: ExpectationsOf<PlatformSetup> = {
  platform: {
    isMet: (value) => expected.function.isMet(value) || expectPort('openThread').isMet(value),
    text: 'a platform, such as createGitHubPlatform returns, or a function that returns one',
  },
  gitToken: expected.function,
  trigger: expectPort('listWaiting'),
  wasObserved: expected.function,
  confidentialIssues: expectOneOf('refuse', 'allow'),
  workspaces: expected.object,
  openSource: expected.function,
  runHolds: expected.function,
  requestsLeft: expected.function,
  contentsLeft: expected.function,
  listPlaces: expected.function,
  takesFrom: expected.function,
  botName: expectNullable(expected.text),
  isRemoved: expected.function,
  trust: expected.object,
};

const directories = ['contexts', 'paused', 'workspaces', 'pauseSignalFile'] as const;

const expectations: ExpectationsOf<OrchestratorOptions> = {
  platforms: {
    isMet: (value) => expected.function.isMet(value) || expectList(expectPlatform).isMet(value),
    text: `an array, each entry ${expectPlatform.text}`,
  },
  model: {
    isMet: (value) => isObject(value) || expected.function.isMet(value) || expected.text.isMet(value),
    text: 'a model of the AI SDK, or a function that loads one',
  },
  directory: {
    ...expectOptions(Object.fromEntries(directories.map((name) => [name, expected.text])), directories),
    isMet: (value) => isObject(value) || expected.text.isMet(value),
    text: `a path, or an object of ${directories.join(', ')}`,
  },
  storage: {
    isMet: (value) => isObject(value) && isObject(value['members']) && isObject(value['notes']),
    text: 'a storage, such as createFileStorage returns',
  },
  role: expectOneOf('both', 'look', 'work'),
  version: expectNullable(expected.text),
  settings: {
    isMet: hasAll([...Object.keys(runSettingsShape), 'llm']),
    text: 'what parseRunSettings returns',
  },
  concurrency: expectNumber(1, { isWhole: true }),
  pollIntervalMs: expectNumber(1),
  live: expectPort('current', 'subscribe'),
  secrets: expected.secrets,
  environment: expected.object,
  hidden: expectList(expected.text),
  openMcp: expected.function,
  serve: expected.function,
  board: expectPort('observe', 'subscribe'),
  telemetry: expectPort('carry', 'activeSpan', 'observe'),
  logger: {
    ...expectPort('debug', 'info', 'warn', 'error', 'child'),
    text: 'a logger with debug, info, warn, error and child, such as pino() returns',
  },
  onLost: expected.function,
  textWorker: expectPort('clean'),
  sleep: expected.function,
  now: expected.function,
  monotonicNow: expected.function,
};

/** @throws {TypeError} that names an option which is missing, unknown or invalid */
export function checkOrchestratorOptions(options: unknown): void {
  checkOptions('OrchestratorOptions', options, expectations, ['platforms', 'model', 'directory']);
  const { platforms } = options as Pick<OrchestratorOptions, 'platforms'>;
  if (typeof platforms === 'function') return;
  for (const [index, setup] of platforms.entries())
    if ('platform' in setup)
      checkOptions(`OrchestratorOptions.platforms[${index}]`, setup, setupExpectations, ['platform']);
}

/** @throws {TypeError} that names an option which is unknown or invalid */
export function checkRunOptions(options: RunOptions): void {
  checkOptions('RunOptions', options, {
    once: expected.flag,
    thread: expectOptions({ name: expected.text, onIdle: expected.function }, ['name', 'onIdle']),
    signal: expected.signal,
  } satisfies ExpectationsOf<RunOptions>);
}

import type { ConfiguredModel } from '@agent/runner/models';
import type { Logger } from '@agent/text';

export type { ConfiguredModel, ModelEndpoint } from '@agent/runner/models';

/** A logger such as pino's. */
export interface RunLogger extends Logger {
  /** A logger whose lines carry these fields as well. */
  child(fields: object): RunLogger;
}

/** Logs nothing. */
export const silentLogger: RunLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Makes the model when the first task needs it. Asked again after a failure, it tries again. */
export type LoadModel = () => Promise<ConfiguredModel>;

/** Directories of runs and worktrees; all absolute. */
export interface RunDirectories {
  readonly contexts: string;
  readonly paused: string;
  readonly workspaces: string;
  /** While this file exists, runs pause and none begins. */
  readonly pauseSignalFile: string;
}

/** Time, as it passes. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that only moves forward. Default that of the process. */
  readonly monotonicNow?: (() => number) | undefined;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

import type { Logger } from '@agent/text';
import type { LanguageModel } from 'ai';

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

/** A language model, and what runs need to know of it. */
export interface ConfiguredModel {
  readonly model: LanguageModel;
  /** The same model by the chat endpoint, where `model` uses the Responses one; null for none. */
  readonly chatModel: LanguageModel | null;
  /** For logs and `metadata.json`. */
  readonly description: { readonly provider: string; readonly model: string; readonly contextLength: number };
  /** The key in use, so that it can be kept out of logs; null for an endpoint without one. */
  readonly secret: string | null;
  /** Its endpoint; null for a model that a module brings. */
  readonly endpoint: ModelEndpoint | null;
}

/** An OpenAI-compatible endpoint. */
export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly secret: string | null;
}

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
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

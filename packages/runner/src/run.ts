import type { Locale, Logger } from '@agent/text';
import type { LanguageModel, ToolSet } from 'ai';
import type { Conversation } from './conversation.ts';
import type { RunEvent, RunTool, RunTools, TaskTools, ToolCallOptions } from './model.ts';
import type {
  CommentInbox,
  ContextCompressor,
  HideKnownSecrets,
  ModelAvailability,
  RunJournal,
  RunSignals,
  SpendingGauge,
} from './ports.ts';
import {
  type ProviderOptions,
  type RunLimits,
  type RunTaskOptions,
  type Sleep,
  toLimits,
} from './run-options.ts';
import { findCommand } from './run-signals.ts';
import type { Tally } from './tally.ts';
import type { TextCallReader } from './text-tools/read-text-calls.ts';
import type { RunTexts } from './texts.ts';
import type { ContextWindow } from './window/context-window.ts';

/** A run under way: what it was given, by who reads it, and what it remembers. */
export interface Run {
  readonly conversation: Conversation;
  readonly tally: Tally;
  readonly emit: (event: RunEvent) => void;
  readonly requests: RequestSettings;
  readonly calls: CallSettings;
  readonly window: ContextWindow;
  readonly steering: Steering;
  readonly limits: Limits;
  readonly settings: CommonSettings;
  /** Times that the barrier before the end has brought comments. */
  readonly barrier: { rounds: number };
}

/** Settings of the requests to the model. */
interface RequestSettings {
  readonly model: LanguageModel;
  readonly planningModel: LanguageModel;
  readonly availability: ModelAvailability;
  /** Reads calls from the answers of models whose servers have no tool support. */
  readonly textCalls: TextCallReader;
  /** The failure of the last call that failed, in words for people. */
  readonly lastFailure: { reason: string | null };
  readonly providerOptions: ProviderOptions;
  readonly maxRetries: number;
  readonly stepTimeoutMs: number;
  readonly maxAnswerChars: number;
  readonly maxCallsPerAnswer: number;
}

/** Settings of the calls of tools. */
interface CallSettings {
  readonly tools: RunTools;
  /** Tokens of the tools' descriptions. */
  readonly toolTokens: number;
  /** Tells whether a tool may be called now; all are listed to the model, so that its prompt stays the same. */
  readonly allows: (tool: string) => boolean;
  readonly toolTimeoutMs: number;
  readonly maxToolOutputChars: number;
}

/** Parts that a checkpoint asks. */
interface Steering {
  readonly signals: RunSignals | null;
  readonly comments: CommentInbox | null;
  readonly compressor: ContextCompressor | null;
  readonly signal: AbortSignal | undefined;
  readonly hardSignal: AbortSignal | undefined;
}

/** Limits of the run, null for none, and their names for people. */
type Limits = { readonly [Name in keyof RunLimits]-?: number | null } & {
  readonly maxSameCalls: number;
  readonly gauge: SpendingGauge | null;
  readonly names: RunTaskOptions['limitNames'];
};

/** Settings that every part of a run reads. */
interface CommonSettings {
  readonly journal: RunJournal;
  readonly locale: Locale;
  readonly texts: RunTexts;
  readonly hideKnownSecrets: HideKnownSecrets;
  readonly redactSecrets: HideKnownSecrets;
  readonly now: () => number;
  readonly sleep: Sleep;
  readonly logger: Logger | null;
}

/** Gives what tells a listener of events; what the listener throws is logged. */
export function toEmitter(
  onEvent: RunTaskOptions['onEvent'],
  { logger }: { readonly logger: Logger | null },
): Run['emit'] {
  return (event) => {
    try {
      onEvent?.(event);
    } catch (err) {
      logger?.warn({ err, event: event.type }, 'event listener failed');
    }
  };
}

/** Reads limits: those that are given once, or as they stand before each step. */
export function readingLimits(given: RunLimits | (() => RunLimits)): () => ReturnType<typeof toLimits> {
  if (typeof given === 'function') return () => toLimits(given());
  const limits = toLimits(given);
  return () => limits;
}

/** Tells whether the step under way is to end now, in the middle of whatever runs. */
export function isAborted(run: Run): boolean {
  return run.steering.hardSignal?.aborted === true;
}

/** Finds what ends the run now, or after the step under way; null while it continues. */
export function findInterruption({ steering }: Run): Interruption | null {
  const command = findCommand(steering.hardSignal);
  if (command !== null) return command;
  return [steering.signal, steering.hardSignal].some((signal) => signal?.aborted) ? 'shutdown' : null;
}

/** What ends a run from outside, without a question to its signals. */
export type Interruption = 'shutdown' | 'pause' | 'stop';

/** Marks that say of a tool that it changes nothing anywhere: the runner's own, and MCP's. */
interface ReadOnlyMarks {
  readonly readOnly?: boolean | undefined;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

/**
 * Brings tools of the AI SDK and tools of the runner into one form. Of a tool that streams its result, the last value
 * counts; what is no text goes to the model as `toText` writes it.
 *
 * @throws TypeError for a tool without `execute`: the runner runs tools itself
 * @see https://ai-sdk.dev/docs/foundations/tools
 */
export function toRunTools(tools: TaskTools, toText: (result: unknown) => string = writeResult): RunTools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, toRunTool(tool as ToolSet[string], { name, toText })]),
  );
}

function toRunTool(
  tool: ToolSet[string] & ReadOnlyMarks,
  { name, toText }: { readonly name: string; readonly toText: (result: unknown) => string },
): RunTool {
  const { description = '', inputSchema, execute, readOnly, annotations } = tool;
  if (execute === undefined) {
    throw new TypeError(`The tool "${name}" has no execute function. The runner runs tools itself: add one.`);
  }
  const run = async (input: unknown, { signal, ...call }: ToolCallOptions): Promise<string> => {
    const both = { ...call, signal, abortSignal: signal, messages: [], context: {} };
    // As a method, so that a tool may be an object with a state of its own.
    return toText(await toLast(execute.call(tool, input as never, both as never)));
  };
  return {
    description: typeof description === 'function' ? description({ context: {} } as never) : description,
    inputSchema,
    readOnly: readOnly === true || annotations?.readOnlyHint === true,
    execute: run,
  };
}

async function toLast(given: unknown): Promise<unknown> {
  const result = await given;
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const value of result as AsyncIterable<unknown>) last = value;
  return last;
}

function writeResult(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null');
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@agent/text';
import type { ToolSet } from 'ai';
import type { Conversation } from './conversation.ts';
import type { RunEvent, RunTool, RunTools, TaskTools, ToolCallOptions } from './model.ts';
import type { CallOptions } from './ports.ts';
import { type RunLimits, type RunTaskOptions, toUsefulLimits } from './run-options.ts';
import type { Tally } from './tally.ts';
import { runTexts } from './texts.ts';

/** A run under way: its settings, and what it remembers. */
export interface Run {
  readonly settings: RunSettings;
  readonly conversation: Conversation;
  readonly tally: Tally;
  readonly emit: (event: RunEvent) => void;
  /** Times that the barrier before the end has brought comments. */
  readonly barrier: { rounds: number };
}

/** Options of a run with their defaults, and what they stand for. */
type RunSettings = ReturnType<typeof toSettings>;

export function createRun(
  options: RunTaskOptions,
  { conversation, tally }: { readonly conversation: Conversation; readonly tally: Tally },
): Run {
  const { logger, onEvent } = options;
  return {
    settings: toSettings(options),
    conversation,
    tally,
    emit: (event) => {
      try {
        onEvent?.(event);
      } catch (err) {
        logger?.warn({ err, event: event.type }, 'a listener of the run threw');
      }
    },
    barrier: { rounds: 0 },
  };
}

function toSettings(options: RunTaskOptions) {
  const { locale = 'en', logger = null, tools, toolResultToText } = options;
  return {
    ...options,
    locale,
    logger,
    texts: runTexts(locale),
    tools: toRunTools(tools, toolResultToText),
    limits: toLimits(options.limits ?? {}, logger),
    hideKnownSecrets: options.hideKnownSecrets ?? ((text: string) => text),
    providerOptions: options.providerOptions ?? { openai: { store: false } },
    maxRetries: options.maxRetries ?? 2,
    stepTimeoutMs: options.stepTimeoutMs ?? 600_000,
    toolTimeoutMs: options.toolTimeoutMs ?? 1_800_000,
    maxToolOutputChars: options.maxToolOutputChars ?? 100_000,
    maxAnswerChars: options.maxAnswerChars ?? 1_000_000,
    maxCallsPerAnswer: options.maxCallsPerAnswer ?? 64,
    maxSameCalls: options.maxSameCalls ?? 10,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleepBySystem,
  };
}

function toLimits(
  given: RunLimits,
  logger: Logger | null,
): { readonly [Name in keyof RunLimits]-?: number | null } {
  const useful = toUsefulLimits(given, (option) =>
    logger?.warn({ option }, 'ignoring an invalid option; using its default'),
  );
  const { maxSteps = 100, maxDurationMs = null, maxTokens = null, maxToolFailures = 3 } = useful;
  return { maxSteps, maxDurationMs, maxTokens, maxToolFailures };
}

/** Tells whether the process is to end now, in the middle of whatever runs. */
export function isAborted(run: Run): boolean {
  return run.settings.hardSignal?.aborted === true;
}

/** Tells whether the process is to end, now or after the step at hand. */
export function isShutDown(run: Run): boolean {
  return run.settings.signal?.aborted === true || isAborted(run);
}

/** Waits by the system's timer. */
export async function sleepBySystem(milliseconds: number, { signal }: CallOptions): Promise<void> {
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
}

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
    throw new TypeError(`The tool "${name}" has no execute. The runner runs tools itself: give it one.`);
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

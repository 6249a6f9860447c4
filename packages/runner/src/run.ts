import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@agent/text';
import type { Conversation } from './conversation.ts';
import type { RunEvent } from './events.ts';
import type { CallOptions } from './ports.ts';
import { type RunLimits, type RunTaskOptions, toUsefulLimits } from './run-options.ts';
import type { Tally } from './tally.ts';
import { runTexts } from './texts.ts';
import { toRunTools } from './to-run-tools.ts';

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

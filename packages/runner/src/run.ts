import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@agent/text';
import type { Conversation } from './conversation.ts';
import type { RunEvent } from './events.ts';
import type { RunStatistics, RunTools } from './model.ts';
import type { HideKnownSecrets } from './ports.ts';
import type { RunLimits, RunTaskOptions, Sleep } from './run-options.ts';
import { toUsefulLimits } from './run-options.ts';
import type { Tally } from './tally.ts';
import { type RunTexts, runTexts } from './texts.ts';
import { toRunTools } from './to-run-tools.ts';

const defaultLimits = {
  maxSteps: 100,
  maxDurationMs: null,
  maxTokens: null,
  maxToolFailures: 3,
} as const satisfies RunLimits;

/** A run under way: its options with defaults, and what it remembers. */
export interface Run {
  readonly options: RunTaskOptions;
  readonly tools: RunTools;
  readonly conversation: Conversation;
  readonly texts: RunTexts;
  readonly hideKnownSecrets: HideKnownSecrets;
  readonly sleep: Sleep;
  readonly now: () => number;
  readonly logger: Logger | null;
  readonly limits: { readonly [Name in keyof RunLimits]-?: number | null };
  readonly statistics: () => RunStatistics;
  /** Leaves time out of what the run may take. */
  readonly rest: (milliseconds: number) => void;
  readonly emit: (event: RunEvent) => void;
  readonly maxSameCalls: number;
  /** Times that the barrier before the end has brought comments. */
  readonly barrier: { rounds: number };
}

export function createRun(
  options: RunTaskOptions,
  { conversation, tally }: { readonly conversation: Conversation; readonly tally: Tally },
): Run {
  const { logger = null, onEvent } = options;
  const limits = toUsefulLimits(options.limits ?? {}, (option) =>
    logger?.warn({ option }, 'an option is of no use; its default is taken'),
  );
  return {
    options,
    tools: toRunTools(options.tools, options.toolResultToText),
    conversation,
    statistics: () => tally.statistics(),
    rest: (milliseconds) => tally.addRest(milliseconds),
    texts: runTexts(options.locale ?? 'en'),
    hideKnownSecrets: options.hideKnownSecrets ?? ((text) => text),
    sleep: options.sleep ?? sleepBySystem,
    now: options.now ?? Date.now,
    logger,
    limits: {
      maxSteps: limits.maxSteps === undefined ? defaultLimits.maxSteps : limits.maxSteps,
      maxDurationMs: limits.maxDurationMs ?? null,
      maxTokens: limits.maxTokens ?? null,
      maxToolFailures:
        limits.maxToolFailures === undefined ? defaultLimits.maxToolFailures : limits.maxToolFailures,
    },
    maxSameCalls: options.maxSameCalls ?? 10,
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

/** Tells whether the process is to end now, in the middle of whatever runs. */
export function isAborted(run: Run): boolean {
  return run.options.hardSignal?.aborted === true;
}

/** Tells whether the process is to end, now or after the step at hand. */
export function isShutDown(run: Run): boolean {
  return run.options.signal?.aborted === true || isAborted(run);
}

async function sleepBySystem(
  milliseconds: number,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
}

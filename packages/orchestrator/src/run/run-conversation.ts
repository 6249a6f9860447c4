import { performance } from 'node:perf_hooks';
import {
  type ContextCompressor,
  combineSignals,
  createContextCompressor,
  type RunResult,
  type RunSignals,
  runTask,
} from '@agent/runner';
import type { TaskWorkspace } from '@agent/workspace';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { PrePlanningInterrupted } from '../pre-plan/preparation-interrupted.ts';
import { openConversation } from './open-conversation.ts';
import { readRunStatistics } from './read-run-statistics.ts';
import { reportRunEvent } from './report-run-event.ts';
import type { ActiveRun, RunParts } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import type { TaskTools } from './task-tools.ts';
import { toRunLimits } from './to-run-limits.ts';
import type { ModelWait } from './wait-for-model.ts';

export interface RunConversationStart {
  readonly workspace: TaskWorkspace | null;
  readonly snapshot: Snapshot | null;
  readonly signals: RunSignals;
  readonly tools: TaskTools;
  readonly ears: RunInbox;
  readonly wait: ModelWait;
}

/** Takes the run's conversation from where its journal stands to an outcome, or to a shutdown. */
export async function runConversation(
  parts: RunParts,
  run: ActiveRun,
  start: RunConversationStart,
): Promise<RunResult> {
  try {
    return await converse(parts, run, start);
  } catch (error) {
    if (!(error instanceof PrePlanningInterrupted)) throw error;
    const statistics = await readRunStatistics(run);
    const outcome = { status: error.status, reason: null, finalText: null, statistics };
    return { kind: 'ended', outcome };
  }
}

function converse(parts: RunParts, run: ActiveRun, start: RunConversationStart): Promise<RunResult> {
  const { limits, llm } = parts.config;
  return runTask({
    model: parts.model.model,
    tools: start.tools.enclosed,
    journal: run.journal,
    signals: combineSignals([heedMeanwhile(parts, start.ears), start.signals], { logger: run.logger }),
    comments: start.ears.inbox,
    availability: start.wait.availability,
    compressor: createCompressor(parts, run),
    openConversation: ({ signal }) => openConversation(parts, run, { ...start, signal }),
    limits: toRunLimits(limits),
    maxCallsPerAnswer: limits.max_calls_per_answer,
    maxSameCalls: limits.max_same_calls,
    limitNames: {
      maxSteps: 'limits.max_steps',
      maxDurationMs: 'limits.max_duration_minutes',
      maxTokens: 'limits.max_tokens',
      maxToolFailures: 'limits.max_tool_failures',
    },
    maxRetries: llm.max_retries,
    stepTimeoutMs: llm.step_timeout_seconds * 1_000,
    hideKnownSecrets: parts.hideKnownSecrets,
    onEvent: (event) => {
      parts.observe({ type: 'run-event', uuid: run.uuid, event });
      reportRunEvent(run.logger, event);
    },
    signal: parts.shutdown,
    locale: run.facts.locale,
    now: parts.now,
    logger: run.logger,
  });
}

/** How long a step may take before its thread is looked at for a stop or a pause, in milliseconds. */
const heedAfterMs = 30_000;

/**
 * Hears what people command while the calls of one long answer are carried out: what they say is told to the model at
 * the next step, but a stop need not wait for it. Between steps the thread is looked at anyway.
 */
function heedMeanwhile(
  { config }: Pick<RunParts, 'config'>,
  ears: RunInbox,
  now: () => number = () => performance.now(),
): RunSignals {
  let lookedAt = now();
  return {
    read: async () => {
      if (!config.comment_detection.enabled || now() - lookedAt < heedAfterMs) return 'none';
      await ears.runCommands();
      lookedAt = now();
      return 'none';
    },
  };
}

/** Makes the context smaller when it fills its share of the model's window (RL-13). */
function createCompressor(parts: RunParts, run: ActiveRun): ContextCompressor {
  const { llm, context_storage: storage } = parts.config;
  return createContextCompressor({
    model: parts.model.model,
    contextLength: parts.model.description.contextLength,
    compressionThreshold: storage.compression_threshold,
    keepRecentMessages: storage.keep_recent_messages,
    summaryPrompt: storage.summary_prompt ?? undefined,
    maxRetries: llm.max_retries,
    timeoutMs: llm.step_timeout_seconds * 1_000,
    logger: run.logger,
  });
}

import { removeReasoning } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { ModelFailure } from './failures/model-failure.ts';
import type { CheckpointVerdict, OutcomeStatus, RunStatistics, WaitsFor } from './model.ts';
import { toErrorCode } from './reply/model-error.ts';
import { findInterruption, type Run } from './run.ts';
import type { RunLimits, RunResult } from './run-options.ts';

/** Why the loop is left. */
export type RunEnding = RunResult;

/** Class of a failure that ends a run, beside the codes of `ModelError` with underscores (`model_timeout`). */
type RunErrorClass =
  | 'agent_failed'
  | 'budget'
  | 'no_plan'
  | 'plan_failed'
  | 'repeated_call'
  | 'step_limit'
  | 'time_limit'
  | 'token_limit'
  | 'tool_failed';

/** Why a run fails. */
export interface FailureCause {
  readonly errorClass: RunErrorClass | `model_${string}`;
  /** In words for people. */
  readonly reason: string;
}

export function toFailed(run: Run, { reason, errorClass }: FailureCause): RunEnding {
  const ending = toEnded(run, 'failed', reason);
  return { ...ending, outcome: { ...ending.outcome, errorClass } };
}

/** Fails a run whose agent cannot be worked with. */
export function toAgentFailed(run: Run, reason: string): RunEnding {
  return toFailed(run, { errorClass: 'agent_failed', reason });
}

/** Class of a failed call of a model. */
export function toModelErrorClass(failure: ModelFailure): FailureCause['errorClass'] {
  const code = toErrorCode(failure, 'model-failed').slice('model-'.length);
  return `model_${code.replaceAll('-', '_')}`;
}

const limitClasses: Readonly<Record<keyof RunLimits, RunErrorClass>> = {
  maxSteps: 'step_limit',
  maxDurationMs: 'time_limit',
  maxTokens: 'token_limit',
  maxToolFailures: 'tool_failed',
};

/** Why a run ends that met a limit, by the name under which people set it. */
export function describeLimit(
  { limits: { names }, settings: { texts } }: Run,
  { name: kind, value }: ExceededLimit,
): FailureCause {
  const reason = texts.limitReached({ kind, name: names?.[kind] ?? kind, value });
  return { errorClass: limitClasses[kind], reason };
}

export function toCompleted(run: Run): RunEnding {
  return toEnded(run, 'completed', null);
}

/** Pauses a run that goes on when people may have answered. */
export function toPaused(run: Run, reason: string, waitsFor: WaitsFor): RunEnding {
  const ending = toEnded(run, 'needs_input', reason);
  return { ...ending, outcome: { ...ending.outcome, waitsFor } };
}

export function toDeferred(run: Run, reason: string): RunEnding {
  return { kind: 'deferred', waitsFor: 'model', reason, statistics: run.tally.statistics() };
}

/** Ends a run at a limit of money. A budget that it shares with others defers it. */
export function toOverBudget(run: Run, reason: string): RunEnding {
  const hold = run.requests.availability.budgetHold?.() ?? null;
  if (hold === null) return toFailed(run, { errorClass: 'budget', reason });
  return { kind: 'deferred', waitsFor: 'money', reason: hold, statistics: run.tally.statistics() };
}

/** Ends a run whose step was cut short: as a command says, or left as it is for the next start. */
export function toInterrupted(run: Run): RunEnding {
  const interruption = findInterruption(run);
  if (interruption === 'pause' || interruption === 'stop') return toCommanded(run, interruption);
  return { kind: 'interrupted', statistics: run.tally.statistics() };
}

function toCommanded(run: Run, command: 'pause' | 'stop'): RunEnding {
  const { texts } = run.settings;
  return command === 'pause'
    ? toEnded(run, 'needs_input', texts.paused)
    : toEnded(run, 'stopped', texts.stopped);
}

/** Turns a checkpoint's verdict into an ending; null when the loop goes on. */
export function toEnding(run: Run, verdict: CheckpointVerdict): RunEnding | null {
  switch (verdict) {
    case 'shutdown':
      return toInterrupted(run);
    case 'pause':
    case 'stop':
      return toCommanded(run, verdict);
    case 'delivered':
    case 'go':
      return null;
  }
}

function toEnded(
  run: Run,
  status: OutcomeStatus,
  reason: string | null,
): Extract<RunEnding, { kind: 'ended' }> {
  const { last, endsWithAnswer } = run.conversation;
  const finalText = last !== null && endsWithAnswer ? removeReasoning(toText(last.message)) : null;
  return { kind: 'ended', outcome: { status, reason, finalText, statistics: run.tally.statistics() } };
}

/** Text of a message, its other parts left out. */
export function toText({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** A limit that the run has reached; no further model call may be made. */
export interface ExceededLimit {
  readonly name: keyof RunLimits;
  readonly value: number;
}

/** The first limit that is used up; null while the run may go on. What is left out is not limited here. */
export function findExceededLimit(
  statistics: RunStatistics,
  limits: Omit<RunLimits, 'maxToolFailures'>,
): ExceededLimit | null {
  const used = [
    { name: 'maxSteps', spent: statistics.modelCalls },
    { name: 'maxDurationMs', spent: statistics.durationMs },
    { name: 'maxTokens', spent: statistics.inputTokens + statistics.outputTokens },
  ] as const;
  for (const { name, spent } of used) {
    const value = limits[name] ?? null;
    if (value !== null && spent >= value) return { name, value };
  }
  return null;
}

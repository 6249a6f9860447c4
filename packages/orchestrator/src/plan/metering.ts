import type { AnswerSource, Question, Reply } from '@agent/pre-planning';
import {
  addUsage,
  classifyModelError,
  type OpeningCost,
  type RunEvent,
  type RunStatistics,
  type RunTool,
  type RunTools,
  readUsage,
  type TokenUsage,
} from '@agent/runner';
import type { RunLogger } from '../host/ports.ts';

/** Cost of a run's pre-planning, by every process that did some. */
export interface PrePlanningCost extends Omit<OpeningCost, 'toolCalls'> {
  /** Calls of each tool. */
  readonly tools: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly activeMs: number;
}

/** The cost of nothing. */
export const noCost: PrePlanningCost = {
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  tools: {},
  activeMs: 0,
};

/** The same as a run counts what it spends. */
export function toCostStatistics({ tools, activeMs, ...cost }: PrePlanningCost): RunStatistics {
  const toolCalls = Object.values(tools).reduce((sum, calls) => sum + calls, 0);
  return { ...cost, toolCalls, durationMs: activeMs };
}

/** Counts what getting a run ready costs. */
export interface CostMeter {
  readonly countAnswer: (usage: TokenUsage) => void;
  readonly countTool: (name: string) => void;
  /** Reads what it has cost by now, earlier processes included. */
  readonly read: () => PrePlanningCost;
}

/** Goes on counting from what earlier processes have counted. `now` in milliseconds; only differences are used. */
export function createCostMeter(
  earlier: PrePlanningCost,
  { now }: { readonly now: () => number },
): CostMeter {
  const startedAt = now();
  let cost = earlier;
  return {
    countAnswer: (usage) => {
      cost = { ...cost, ...addUsage(cost, usage), modelCalls: cost.modelCalls + 1 };
    },
    countTool: (name) => {
      cost = { ...cost, tools: { ...cost.tools, [name]: (cost.tools[name] ?? 0) + 1 } };
    },
    read: () => ({ ...cost, activeMs: Math.max(0, earlier.activeMs + now() - startedAt) }),
  };
}

export interface MeteredQuestions {
  readonly meter: CostMeter;
  /** Tells whether nothing more may be spent. */
  readonly isUsedUp: () => boolean;
  /** Hears of each answer as of a step of the run. */
  readonly onEvent: (event: RunEvent) => void;
  /** Told what each answer cost, and how it was had. */
  readonly logger: Pick<RunLogger, 'info'>;
  /** Keeps what was counted. */
  readonly keep: () => Promise<void>;
}

/**
 * The same source; what each answer cost is counted, and kept before anything is made of the answer. Where nothing more
 * may be spent, a question has no answer that could be read, and one that could not be is not asked for again.
 */
export function meterQuestions(source: AnswerSource, options: MeteredQuestions): AnswerSource {
  const { meter, isUsedUp, onEvent } = options;
  return {
    ask: async (question) => {
      if (isUsedUp()) return leaveUnanswered(0);
      onEvent({ type: 'step-start', step: meter.read().modelCalls + 1 });
      return ask(question, { ...options, source });
    },
  };
}

async function ask<Answer>(
  question: Question<Answer>,
  { source, meter, isUsedUp, onEvent, logger, keep }: MeteredQuestions & { readonly source: AnswerSource },
): Promise<Reply<Answer>> {
  const spent = new AbortController();
  const { signal } = question;
  const signals = [spent.signal, ...(signal === undefined ? [] : [signal])];
  let calls = 0;
  let kept = Promise.resolve();
  try {
    return await source.ask({
      ...question,
      signal: AbortSignal.any(signals),
      onCall: (call) => {
        calls += 1;
        question.onCall?.(call);
        const { mode, inputTokens, outputTokens, reported = null } = call;
        const asked = { question: question.name, mode, inputTokens, outputTokens };
        logger.info(asked, 'called model');
        const usage = reported === null ? { inputTokens, outputTokens } : readUsage(reported);
        meter.countAnswer(usage);
        onEvent({ type: 'model-answer', step: meter.read().modelCalls, text: '', tools: [], usage });
        kept = keep();
        // An answer that is had is still read.
        if (isUsedUp()) spent.abort();
      },
    });
  } catch (error) {
    if (signal?.aborted || !(spent.signal.aborted || isOverBudget(error))) throw error;
    return leaveUnanswered(calls);
  } finally {
    await kept;
  }
}

/** Tells whether the money of the run is used up: its conversation says so. */
function isOverBudget(error: unknown): boolean {
  return [error, (error as { readonly cause?: unknown } | null)?.cause].some(
    (one) => classifyModelError(one).kind === 'over-budget',
  );
}

function leaveUnanswered(calls: number): Reply<never> {
  return { status: 'unreadable', problem: 'the budget of pre-planning is used up', calls };
}

export interface MeteredTools {
  readonly meter: CostMeter;
  /** Hears of each call as of one of the run's; the output stays out of it. */
  readonly onEvent: (event: RunEvent) => void;
  /** Milliseconds; only differences are used. */
  readonly now: () => number;
}

/**
 * The same tools; every call is counted, also one that fails. A failure is none of the agent's: it never counts
 * against `limits.max_tool_failures`.
 */
export function meterTools(tools: RunTools, options: MeteredTools): RunTools {
  let calls = 0;
  const meterTool = ([name, tool]: [string, RunTool]): [string, RunTool] => [
    name,
    {
      ...tool,
      execute: (input, call) => {
        calls += 1;
        return execute({ name, tool, input, call, toolCallId: `prepare-${calls}` }, options);
      },
    },
  ];
  return Object.fromEntries(Object.entries(tools).map(meterTool));
}

interface MeteredCall {
  readonly name: string;
  readonly tool: RunTool;
  readonly input: unknown;
  readonly call: Parameters<RunTool['execute']>[1];
  readonly toolCallId: string;
}

async function execute(
  { name, tool, input, call, toolCallId }: MeteredCall,
  { meter, onEvent, now }: MeteredTools,
): Promise<string> {
  meter.countTool(name);
  const fields = { step: meter.read().modelCalls, toolCallId, tool: name, args: input };
  const startedAt = now();
  let hasEnded = false;
  const end = (status: 'success' | 'error'): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEvent({ type: 'tool-end', ...fields, status, output: '', durationMs: Math.max(0, now() - startedAt) });
  };
  // A tool that hangs is left at its time limit, and may never settle.
  const leave = (): void => end('error');
  call.signal?.addEventListener('abort', leave, { once: true });
  onEvent({ type: 'tool-start', ...fields });
  try {
    const output = await tool.execute(input, call);
    end('success');
    return output;
  } catch (error) {
    end('error');
    throw error;
  } finally {
    call.signal?.removeEventListener('abort', leave);
  }
}

import {
  type CommentInbox,
  type ContextCompressorOptions,
  createContextCompressor,
  type OpenedConversation,
  type RunLimits,
  type RunResult,
  type RunTaskOptions,
  runTask,
} from '@agent/runner';
import type { SecretFilters } from '@agent/text/outgoing';
import type { CommandPlace, KeepWork } from '@agent/workspace';
import type { ObserveBoard } from '../board/board-event.ts';
import type { OpenConversation, OpenConversationOptions } from '../conversation/open-conversation.ts';
import type { AgentWork } from '../environment/agent-work.ts';
import type { RunModels } from '../models/run-models.ts';
import type { ModelWait } from '../models/watch-model.ts';
import { choosePlanMode } from '../plan/plan-mode.ts';
import type { PlanTask } from '../planning/create-plan-task.ts';
import { PrePlanningInterrupted } from '../planning/pre-plan.ts';
import { reportRunEvent } from '../run/report-run-event.ts';
import type { Run } from '../run/run.ts';
import { readRunStatistics } from '../run/run-ending.ts';
import { withKeptWork } from './moved-work.ts';

/** A model, and how patiently it is asked. */
export interface AskedModel {
  /** Opens the models of a run, whose calls it pays for. */
  readonly openModels: (run: Run) => RunModels;
  readonly maxRetries: number;
  readonly stepTimeoutMs: number;
}

/** The bounds of a conversation. */
export interface ConversationLimits extends RunLimits {
  readonly maxCallsPerAnswer: number;
  readonly maxSameCalls: number;
}

export interface ConverseOptions {
  readonly model: AskedModel;
  /** Read before each step, as far as they may change within a run. */
  readonly readLimits: () => ConversationLimits;
  /** Settings of what makes the context smaller when it fills its share of the model's window (RL-13). */
  readonly compression: Omit<ContextCompressorOptions, 'model' | 'maxRetries' | 'timeoutMs' | 'logger'>;
  readonly openConversation: OpenConversation;
  /** Works on runs that have a worktree; null where the runner's own loop does. */
  readonly agentWork: AgentWork | null;
  /** Carries the conversation of a run that plans. */
  readonly planTask: PlanTask;
  /** True where runs that begin plan. */
  readonly plans: boolean;
  readonly secrets: SecretFilters;
  readonly observe: ObserveBoard;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
}

export interface ConverseStart extends Omit<OpenConversationOptions, 'signal'> {
  /** Aborted by a command or a shutdown. */
  readonly signal: AbortSignal;
  readonly wait: ModelWait;
  /** To be told to the model before anything else; null where there is nothing. */
  readonly notice: string | null;
  /** Counts the comments that kept the run from its end, over all that it takes to deliver its answer. */
  readonly finishRounds: { rounds: number };
  /** Keeps the work on the files for other machines; null where it stays on this one. */
  readonly keepWork: KeepWork | null;
  /** Place of the run's commands; null without a repository. */
  readonly place: CommandPlace | null;
}

export type Converse = (run: Run, start: ConverseStart) => Promise<RunResult>;

/** Creates what takes a run's conversation from where its journal stands to an outcome, or to a shutdown. */
export function createConverse(options: ConverseOptions): Converse {
  return async (run, start) => {
    try {
      return await converse(options, run, start);
    } catch (error) {
      if (!(error instanceof PrePlanningInterrupted)) throw error;
      const statistics = await readRunStatistics(run);
      const outcome = { status: error.status, reason: null, finalText: null, statistics };
      return { kind: 'ended', outcome };
    }
  };
}

async function converse(options: ConverseOptions, run: Run, start: ConverseStart): Promise<RunResult> {
  const models = options.model.openModels(run);
  const task = toTask(options, run, { ...start, models });
  const { workspace, place } = start;
  const works = workspace === null || place === null ? null : options.agentWork;
  const plans = options.plans && works?.plans !== false;
  const isPlanned = await choosePlanMode(run, { wanted: plans });
  if (works === null || workspace === null || place === null)
    return isPlanned ? options.planTask(run, { ...start, task, agent: null }) : runTask(task);
  const spending = models.spending?.calls ?? null;
  const agent = await works.open({ logger: task.logger, workspace, place, spending });
  return isPlanned ? options.planTask(run, { ...start, task, agent }) : works.work(task, agent);
}

function toTask(
  options: ConverseOptions,
  run: Run,
  { models, ...start }: ConverseStart & { readonly models: RunModels },
): RunTaskOptions {
  const { model: asked, compression, openConversation, observe } = options;
  const { maxCallsPerAnswer, maxSameCalls } = options.readLimits();
  const { maxRetries, stepTimeoutMs } = asked;
  const { uuid, journal, facts, logger } = run;
  const { pictures } = start.runInbox.guard;
  return {
    model: pictures.attach(models.work),
    planningModel: pictures.attach(models.planning),
    gauge: models.spending?.gauge,
    tools: start.tools.enclosed,
    journal: withKeptWork(journal, start.keepWork),
    signals: start.signals,
    comments: start.notice === null ? start.runInbox.inbox : tellFirst(start.notice, start.runInbox.inbox),
    availability: { ...start.wait.availability, budgetHold: models.spending?.budgetHold },
    compressor: createContextCompressor({
      ...compression,
      countTokens: pictures.countTokens,
      ...{ model: models.summary, maxRetries, timeoutMs: stepTimeoutMs, logger },
    }),
    openConversation: ({ signal }): Promise<OpenedConversation> =>
      openConversation(run, { ...start, signal }),
    limits: () => {
      const { maxSteps, maxDurationMs, maxTokens, maxToolFailures } = options.readLimits();
      return { maxSteps, maxDurationMs, maxTokens, maxToolFailures };
    },
    finishRounds: start.finishRounds,
    maxCallsPerAnswer,
    maxSameCalls,
    limitNames: {
      maxSteps: 'limits.max_steps',
      maxDurationMs: 'limits.max_duration_minutes',
      maxTokens: 'limits.max_tokens',
      maxToolFailures: 'limits.max_tool_failures',
    },
    maxRetries,
    stepTimeoutMs,
    hideKnownSecrets: options.secrets.hideKnownSecrets,
    redactSecrets: options.secrets.redactOutgoing,
    onEvent: (event) => {
      observe({ type: 'run-event', uuid, event });
      // Without a ledger, only an agent reports what it costs.
      if (models.spending === null && event.type === 'model-answer')
        observe({ type: 'call-cost', uuid, micros: event.usage.costMicros ?? 0 });
      reportRunEvent(logger, event);
      run.progress.hear(event);
    },
    signal: options.shutdown,
    hardSignal: start.signal,
    locale: facts.locale,
    now: options.now,
    logger,
  };
}

/** The same inbox, which tells this before anything else. */
function tellFirst(text: string, inbox: CommentInbox): CommentInbox {
  const notice = { text, receipt: { delivers: [] }, hasCommands: false, hasMore: true };
  let isTold = false;
  return {
    takeDelivery: async (call) => {
      if (isTold) return inbox.takeDelivery(call);
      isTold = true;
      return { status: 'checked', delivery: notice };
    },
    markDelivered: (receipt) => {
      if (receipt !== notice.receipt) inbox.markDelivered(receipt);
    },
  };
}

import type { CallOptions, CommentInbox } from '../ports.ts';
import type { OpenedConversation } from '../run-options.ts';
import type { PlannedAction } from './model.ts';
import type { PlannedTaskOptions, PlannedTaskResult } from './ports.ts';
import { runPlannedTask } from './run-planned-task.ts';

/** Pre-planning, as a coordinator runs it: what was found out, as text for the planning. Empty where there is nothing. */
export interface PrePlanningPhase {
  readonly execute: (options: CallOptions) => Promise<string>;
}

/** Parts of a coordinator beside those of `runPlannedTask`. */
export interface PlanningCoordinatorOptions extends PlannedTaskOptions {
  /** Runs once, before the conversation is opened. Default none. */
  readonly prePlanningManager?: PrePlanningPhase | null | undefined;
}

type Poll = Awaited<ReturnType<CommentInbox['takeDelivery']>>;

/** Applicability of the plans of earlier runs. */
export type PreviousPlanUse = 'continue' | 'refer' | 'none';

/**
 * Order of a run in planning mode: pre-planning, plan, actions, reflection and revision, verification, report.
 * `runPlannedTask` in the shape of the seeds: the manager of comments is set once it is there.
 * @see seed 001 §3.5, seed 002 §13.7.1, seed 004 §10.1
 *
 * @example
 * const coordinator = new PlanningCoordinator({ task, prePlanningManager });
 * coordinator.commentDetectionManager = inbox;
 * const { planning } = await coordinator.executeWithPlanning();
 */
export class PlanningCoordinator {
  readonly prePlanningManager: PrePlanningPhase | null;
  /** Until it is set, the comments of the task are heard, where it has some. */
  commentDetectionManager: CommentInbox | null = null;
  readonly #options: PlannedTaskOptions;

  constructor(options: PlanningCoordinatorOptions) {
    this.#options = options;
    this.prePlanningManager = options.prePlanningManager ?? null;
  }

  /** Runs the task, or goes on with it where its journal ends. */
  executeWithPlanning(): Promise<PlannedTaskResult> {
    const { task } = this.#options;
    const comments: CommentInbox = {
      takeDelivery: (poll) => this.checkAndAddNewComments(poll),
      markDelivered: (receipt) => this.#comments?.markDelivered(receipt),
    };
    const openConversation = (call: CallOptions) => this.#open(call);
    return runPlannedTask({ ...this.#options, task: { ...task, comments, openConversation } });
  }

  /** Finds out what planning needs; empty without a manager. */
  async executePrePlanningPhase(options: CallOptions = {}): Promise<string> {
    return (await this.prePlanningManager?.execute(options)) ?? '';
  }

  /**
   * Takes what was said since the last check, right after each check for pause and stop; the run adds it to its
   * conversation. Without a manager there is nothing.
   */
  async checkAndAddNewComments(options: { readonly barrier: boolean } & CallOptions): Promise<Poll> {
    if (this.#comments === null) return { status: 'checked', delivery: null };
    const poll = await this.#comments.takeDelivery(options);
    const count = poll.delivery?.receipt.delivers.length ?? 0;
    if (count > 0) this.#options.task.logger?.info({ count }, 'added comments to planning');
    return poll;
  }

  /** Gives what earlier runs on the thread planned, and what came of it; empty where there is nothing. */
  loadInheritedPlanningContext(): string {
    return this.#options.history?.forPlan() ?? '';
  }

  /** A prompt with the planning of earlier runs behind it. */
  buildPlanningPromptWithInheritance(prompt: string): string {
    const inherited = this.loadInheritedPlanningContext();
    return inherited === '' ? prompt : `${prompt}\n\n${inherited}`;
  }

  /** Judges whether the plan of an earlier run goes on, is referred to, or is none. */
  async evaluatePreviousPlanApplicability(): Promise<PreviousPlanUse> {
    const { history } = this.#options;
    if ((await history?.continuable()) ?? null) return 'continue';
    return this.loadInheritedPlanningContext() === '' ? 'none' : 'refer';
  }

  /** An action's purpose with what earlier runs learned about its like. */
  mergeWithPreviousLearnings(action: PlannedAction): string {
    const learned = this.#options.history?.forAction(action) ?? '';
    return learned === '' ? action.purpose : `${action.purpose}\n\n${learned}`;
  }

  get #comments(): CommentInbox | null {
    return this.commentDetectionManager ?? this.#options.task.comments ?? null;
  }

  async #open(call: CallOptions): Promise<OpenedConversation> {
    const found = await this.executePrePlanningPhase(call);
    const opened = await this.#options.task.openConversation(call);
    if (found === '') return opened;
    return { ...opened, messages: [{ role: 'user', content: found }, ...opened.messages] };
  }
}

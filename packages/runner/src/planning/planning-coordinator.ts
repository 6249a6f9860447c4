import type { CallOptions } from '@agent/platforms';
import {
  checkOptions,
  checkValue,
  type Expectation,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectPort,
} from '@agent/text/options';
import { expectInbox } from '../expectations.ts';
import type { CommentInbox } from '../ports.ts';
import type { OpenedConversation } from '../run-options.ts';
import type { PlannedAction } from './model.ts';
import type { PlannedTaskOptions, PlannedTaskResult } from './ports.ts';
import {
  type PlanningRequest,
  type PrePlanningPhase,
  runPrePlanning,
  toPlanningRequest,
} from './pre-planning-phase.ts';
import { plannedExpectations, runPlannedTask } from './run-planned-task.ts';

/** Parts of a coordinator beside those of `runPlannedTask`. */
export interface PlanningCoordinatorOptions extends PlannedTaskOptions {
  /** Polled at each checkpoint. Default: the comments of the task. */
  readonly commentDetectionManager?: CommentInbox | null | undefined;
  /** Runs once, when the conversation is opened, before the plan. Default none. */
  readonly prePlanningManager?: PrePlanningPhase | null | undefined;
  /** Request that pre-planning understands. Default: made of the user messages that the conversation opens with. */
  readonly request?: PlanningRequest | undefined;
}

const expectCommentInbox: Expectation = {
  ...expectInbox,
  text: 'a CommentDetectionManager of @agent/comment-detection, what createCommentInbox returns, or null',
};

const expectPrePlanning: Expectation = {
  ...expectNullable(expectPort('execute')),
  text: 'a PrePlanningManager of @agent/pre-planning, an object whose execute resolves with text, or null',
};

const expectations: ExpectationsOf<PlanningCoordinatorOptions> = {
  ...plannedExpectations,
  commentDetectionManager: expectCommentInbox,
  prePlanningManager: expectPrePlanning,
  request: expected.object,
};

type Poll = Awaited<ReturnType<CommentInbox['takeDelivery']>>;

/** Applicability of the plans of earlier runs. */
export type PreviousPlanUse = 'continue' | 'refer' | 'none';

/**
 * Order of a run in planning mode: pre-planning, plan, actions, reflection and revision, verification, report.
 * `runPlannedTask` in the shape of the seeds: the two managers are assigned as they are.
 * @see seed 001 §3.5, seed 002 §13.7.1, seed 004 §10.1
 *
 * @example
 * const coordinator = new PlanningCoordinator({ task });
 * coordinator.commentDetectionManager = new CommentDetectionManager(source, { botUsername, authorityOf, cleanText });
 * coordinator.prePlanningManager = new PrePlanningManager({ source: createStructuredOutput({ model }), tools });
 * const { planning } = await coordinator.executeWithPlanning();
 */
export class PlanningCoordinator {
  readonly #options: PlannedTaskOptions;
  readonly #request: PlanningRequest | undefined;
  #commentDetectionManager: CommentInbox | null = null;
  #prePlanningManager: PrePlanningPhase | null = null;

  /** @throws {TypeError} that names an option which is missing, unknown or invalid */
  constructor(given: PlanningCoordinatorOptions) {
    checkOptions('PlanningCoordinatorOptions', given, expectations, ['task']);
    const { commentDetectionManager, prePlanningManager, request, ...options } = given;
    this.#options = options;
    this.#request = request;
    this.commentDetectionManager = commentDetectionManager;
    this.prePlanningManager = prePlanningManager;
  }

  /** Null: the comments of the task are polled, if it has any. */
  get commentDetectionManager(): CommentInbox | null {
    return this.#commentDetectionManager;
  }
  /** @throws {TypeError} for an object of another class */
  set commentDetectionManager(manager: CommentInbox | null | undefined) {
    checkValue('PlanningCoordinator.commentDetectionManager', manager ?? null, expectCommentInbox);
    this.#commentDetectionManager = manager ?? null;
  }

  get prePlanningManager(): PrePlanningPhase | null {
    return this.#prePlanningManager;
  }
  /** @throws {TypeError} for an object of another class */
  set prePlanningManager(manager: PrePlanningPhase | null | undefined) {
    checkValue('PlanningCoordinator.prePlanningManager', manager ?? null, expectPrePlanning);
    this.#prePlanningManager = manager ?? null;
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

  /** Finds out what planning needs, as text; empty without a manager. */
  async executePrePlanningPhase(
    options: { readonly request?: PlanningRequest | undefined } & CallOptions = {},
  ): Promise<string> {
    const { task } = this.#options;
    if (this.#prePlanningManager === null) return '';
    const request =
      options.request ?? this.#request ?? toPlanningRequest(await task.openConversation(options));
    return runPrePlanning(this.#prePlanningManager, { request, signal: options.signal, steering: task });
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
    return this.#commentDetectionManager ?? this.#options.task.comments ?? null;
  }

  async #open(call: CallOptions): Promise<OpenedConversation> {
    const opened = await this.#options.task.openConversation(call);
    if (this.#prePlanningManager === null) return opened;
    const request = this.#request ?? toPlanningRequest(opened);
    const found = await this.executePrePlanningPhase({ ...call, request });
    if (found === '') return opened;
    return { ...opened, messages: [{ role: 'user', content: found }, ...opened.messages] };
  }
}

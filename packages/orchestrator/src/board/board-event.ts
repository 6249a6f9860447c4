import type { Outcome } from '@agent/run-store';
import type { RunEvent } from '@agent/runner';
import type { EndedGitCommand } from '@agent/workspace';
import type { PlanStage } from '../plan/plan-stage.ts';
import type { Condition, SeenCondition } from '../state/condition.ts';
import type { HoldState } from '../state/hold.ts';
import type { NoticeEvent } from '../state/notice.ts';

/** A task that this process works on, as it is shown to people. */
export interface BoardTask {
  readonly uuid: string;
  /** `owner/repo#42` */
  readonly name: string;
  readonly title: string;
  readonly url: string;
}

/** Event of the work, as the live view, `/metrics`, `/readyz` and `status` hear of it. */
export type BoardEvent =
  | { readonly type: 'task-begin'; readonly task: BoardTask; readonly resumed: boolean }
  /** A run that began takes over earlier ones. */
  | { readonly type: 'inheritance'; readonly depth: number; readonly tokens: number }
  /** Progress of a run in pre-planning; null when the phase is over, or is left for later. */
  | { readonly type: 'preparation'; readonly uuid: string; readonly stage: PreparationStage | null }
  /** Progress of a run by its plan; null where it goes on without one. `ended`: how an action just ended. */
  | {
      readonly type: 'plan';
      readonly uuid: string;
      readonly stage: PlanStage | null;
      readonly ended: 'succeeded' | 'failed' | null;
    }
  | { readonly type: 'run-event'; readonly uuid: string; readonly event: RunEvent }
  /** A request to a model begins, or has ended. `call`: the same object for both. */
  | { readonly type: 'model-wait'; readonly call: CallUnderWay; readonly begins: true }
  | {
      readonly type: 'model-wait';
      readonly call: CallUnderWay;
      readonly begins: false;
      /** False for a request that failed or ran into its time limit. */
      readonly isAnswered: boolean;
    }
  /** A request to a model has ended, whatever it was for. */
  | ({ readonly type: 'model-call' } & ModelCall)
  /** A call of a run was paid, whatever it was for. In millionths of the currency. */
  | { readonly type: 'call-cost'; readonly uuid: string; readonly micros: number }
  /** The work of a run is brought to its thread, or that is over. */
  | { readonly type: 'delivery'; readonly uuid: string; readonly begins: boolean }
  /** Comments that came while a run was under way were seen, told to the model, or stood in a request that it answered. */
  | ({ readonly type: 'comments'; readonly uuid: string } & CommentsNews)
  /** A run ended or paused. Null for one that has delivered and watches its change request. */
  | {
      readonly type: 'run-end';
      readonly uuid: string;
      readonly outcome: Outcome | null;
      /** Class of its failure. Default null: it did not fail. */
      readonly errorClass?: string | null | undefined;
      /** True if the run left its thread to another one, whose outcome counts. Default false. */
      readonly hasWithdrawn?: boolean | undefined;
    }
  /** This process has let go of the task, whether it ended or is left for a later start. */
  | { readonly type: 'task-leave'; readonly uuid: string }
  | ({ readonly type: 'request' } & PlatformRequest)
  /** A git command of a worktree has ended. */
  | ({ readonly type: 'git' } & EndedGitCommand)
  /** An entry of the queue, of this kind, begins in this process. */
  | { readonly type: 'queue-begin'; readonly kind: string; readonly waitedMs: number }
  /** A comment of ours was made, which notifies people; an edit does not. */
  | { readonly type: 'comment'; readonly platform: string }
  | {
      readonly type: 'look';
      readonly platform: string;
      readonly error: string | null;
      /** Repositories that tasks come from, if the poll worked. Default none. */
      readonly places?: readonly PolledPlace[] | undefined;
    }
  /** This process looks for tasks for all that share its place, or does so no more. */
  | { readonly type: 'lead'; readonly leads: boolean }
  /** A part that the work rests on was seen in this state; telling the same again changes nothing. */
  | ({ readonly type: 'condition' } & SeenCondition)
  | NoticeEvent
  /** Conditions that an earlier process of this kind reported last: what is still wrong keeps its start. */
  | {
      readonly type: 'earlier';
      readonly conditions: readonly Condition[];
      readonly holds: readonly HoldState[];
    }
  /** Everything that keeps tasks from starting now. */
  | { readonly type: 'holds'; readonly holds: readonly HoldState[] }
  /**
   * A run that has ended could not do all that follows from it, or a task could not begin; null where nothing is open any more. `name`:
   * `owner/repo#42`.
   */
  | {
      readonly type: 'outbox';
      /** Null for a task that has no run. */
      readonly uuid: string | null;
      readonly name: string;
      readonly open: OpenOutbox | null;
    }
  | { readonly type: 'shutdown' };

/** A request to a model that is under way. The object identifies the request. */
export interface CallUnderWay {
  /** Run that it is for. */
  readonly uuid: string;
}

/** A request to a model that has ended. */
export interface ModelCall {
  /** As the AI SDK names it: `openai.chat`. */
  readonly provider: string;
  readonly model: string;
  readonly durationMs: number;
  /** Null where the provider counted nothing. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Kind of its failure; null for one that was answered. */
  readonly failure: string | null;
}

/** A request to a platform that has ended. */
export interface PlatformRequest {
  readonly platform: string;
  /** Host of the platform: `github.com`. */
  readonly host: string;
  /** Class of its address, such as `issues.list`. */
  readonly route: string;
  readonly method: string;
  /** Until the answer began. */
  readonly durationMs: number;
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** Kind of the failure of a request without an answer; null for any other. */
  readonly error: string | null;
}

/** A repository that was polled. */
export interface PolledPlace {
  /** `owner/repo` */
  readonly name: string;
  /** False if the platform refused it. */
  readonly answered: boolean;
}

/** Progress of comments on their way to the model. */
export interface CommentsNews {
  readonly state: 'received' | 'delivered' | 'answered';
  readonly comments: readonly CommentLink[];
}

/** Comment by its id, and its link where the platform gives one. */
export interface CommentLink {
  readonly id: string;
  readonly url: string | null;
}

/** Entries of an outbox that are open. */
export interface OpenOutbox {
  /** Kind of each: `comment`, `label`, `last-look`, `worktree`. */
  readonly kinds: readonly string[];
  /** Names what is open, why, and when it is tried next. */
  readonly reason: string;
}

/** Tells the board of something. Never throws, and costs microseconds. */
export type ObserveBoard = (event: BoardEvent) => void;

/** Progress of a run in pre-planning, before its first step. @see seed 004 §2.2 */
export interface PreparationStage {
  readonly subphase: 'understanding' | 'collection_planning' | 'collection' | 'assumption';
  /** Items of information that were looked for, and how many there are; 0 of 0 while that is not known. */
  readonly done: number;
  readonly total: number;
}

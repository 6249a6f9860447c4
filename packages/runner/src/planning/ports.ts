import type { CallOptions } from '@agent/platforms';
import type { AgentOptions } from '../executors/agent-options.ts';
import type { RunResult, RunTaskOptions } from '../run-options.ts';
import type {
  ActionState,
  LoopModeReason,
  Plan,
  PlannedAction,
  PlanningPhaseName,
  ReflectionAnswer,
  ReflectionTrigger,
  ReplanNext,
  ReplanType,
  RevisionCause,
  VerificationAnswer,
} from './model.ts';
import type { PlanningState } from './planning-state.ts';
import type { PlanningSettingsInput } from './settings.ts';

/** Question to people on the thread. Asked again under the same id, it must not appear twice. */
export type PeopleQuestion =
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly questions: readonly string[];
      /** Taken where nobody answers. */
      readonly assumptions: readonly string[];
      /** ISO 8601, UTC; null where an answer is waited for without end. */
      readonly until: string | null;
    }
  | {
      readonly kind: 'approval';
      readonly id: string;
      readonly plan: Plan;
      readonly planHash: string;
      /** Version of the plan, which people are shown: 1, and one more with each revision. */
      readonly version: number;
      /** Ids of the tasks that are done already, where the plan was changed on the way. */
      readonly doneTaskIds: readonly string[];
    };

/** Standing of an approval: `revoked` where who gave it may not any more, or took it back. */
export type ApprovalReading =
  | { readonly state: 'none' }
  | {
      readonly state: 'given';
      readonly by: string;
      /** Phrase or emoji that approved the plan, which people are shown; null or left out for a command. */
      readonly words?: string | null | undefined;
    }
  | { readonly state: 'revoked'; readonly by: string; readonly reason: string };

/** People of the thread, as a plan needs them. Rejecting means "could not ask", and the run waits. */
export interface PlanningPeople {
  /** Resolves once the question stands on the thread. */
  readonly ask: (question: PeopleQuestion, options: CallOptions) => Promise<void>;
  /** Asked of the plan whose hash the approval must name. */
  readonly readApproval: (planHash: string, options: CallOptions) => Promise<ApprovalReading>;
  /** Ids of assumptions that people have rejected, such as `A1`. */
  readonly rejectedAssumptions: (options: CallOptions) => Promise<readonly string[]>;
}

/** Plan of an earlier run that goes on. */
export interface ContinuablePlan {
  readonly plan: Plan;
  readonly doneTaskIds: readonly string[];
}

/** Plans of earlier runs, as text for the model: cleaned, cut and enclosed; empty where there is nothing. */
export interface PlanningHistory {
  /** Plan of a stopped run for the same request that has actions left; null for none. */
  readonly continuable: () => Promise<ContinuablePlan | null>;
  readonly forPlan: () => string;
  readonly forAction: (action: PlannedAction) => string;
  readonly forReflection: () => string;
  readonly forVerification: () => string;
}

/** Event of a plan, as it happens; each comes with the state that it led to. */
export type PlanningEvent = { readonly state: PlanningState } & (
  | { readonly type: 'phase'; readonly phase: PlanningPhaseName }
  | { readonly type: 'plan'; readonly plan: Plan; readonly origin: 'new' | 'continued' }
  | {
      readonly type: 'action';
      readonly taskId: string;
      readonly action: ActionState;
      readonly attempt: number;
      readonly detail: string;
    }
  | {
      readonly type: 'revision';
      readonly number: number;
      readonly reason: string;
      readonly cause: RevisionCause;
    }
  | { readonly type: 'revision-dropped'; readonly cause: RevisionCause; readonly reasons: readonly string[] }
  | {
      readonly type: 'reflection';
      readonly trigger: ReflectionTrigger;
      readonly status: ReflectionAnswer['reflection']['status'];
      /** Answer to people who asked something; null for none. */
      readonly reply: string | null;
    }
  | {
      readonly type: 'replan';
      readonly replanType: ReplanType;
      /** 0 to 1. */
      readonly confidence: number;
      readonly next: ReplanNext;
      readonly overrideReason: string | null;
    }
  | { readonly type: 'verification'; readonly round: number; readonly result: VerificationAnswer }
  | { readonly type: 'question'; readonly id: string; readonly questions: readonly string[] }
  | { readonly type: 'answered'; readonly id: string; readonly how: 'comment' | 'assumed' }
  | {
      readonly type: 'approval';
      readonly planHash: string;
      readonly approval: 'asked' | 'given' | 'void';
      readonly reason: string | null;
    }
  | { readonly type: 'loop-mode'; readonly reason: LoopModeReason; readonly details: readonly string[] }
);

/** A task, and how it is planned; an agent on its own gives the task alone. */
export interface PlannedTaskOptions {
  /** As `runTask` takes it. Its `now` gives milliseconds since 1970 here: answers are waited for until a time. */
  readonly task: RunTaskOptions;
  /** Default: every key's own. */
  readonly planning?: PlanningSettingsInput | undefined;
  /** Default none: nobody is asked, assumptions are made at once, and an approval that is required never comes. */
  readonly people?: PlanningPeople | null | undefined;
  readonly history?: PlanningHistory | null | undefined;
  readonly sources?: PlanSources | undefined;
  /** Language that the model is to write its values in, such as `Japanese`. Default: that of the request. */
  readonly language?: string | null | undefined;
  /** Names of tools that run the project's checks: verification may call them although they change things. Default none. */
  readonly checkTools?: readonly string[] | undefined;
  /** Agent with a loop of its own that does the actions of the plan; the model does all else. Default null: it does them, too. */
  readonly agent?: AgentOptions | null | undefined;
  /** Hears of the plan as it happens. What it throws is logged and ignored. */
  readonly onEvent?: ((event: PlanningEvent) => void) | undefined;
}

/** Sources that a plan is held against. Rejecting means "could not ask". */
export interface PlanSources {
  /** Unified diff of what the run has changed, for placeholders; null where there is none. Default: not looked at. */
  readonly readDiff?: ((options: CallOptions) => Promise<string | null>) | undefined;
  /** Fingerprint of the request as it stands now; null where it is not known. Default: not known. */
  readonly readRequestHash?: ((options: CallOptions) => Promise<string | null>) | undefined;
}

/** Result of a run in planning mode: that of `runTask`, and the plan as the run left it. */
export type PlannedTaskResult = RunResult & { readonly planning: PlanningState };

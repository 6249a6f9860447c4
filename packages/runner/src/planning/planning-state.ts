import type {
  ActionState,
  CompletionAnswer,
  LoopModeReason,
  Plan,
  PlanningPhaseName,
  ReflectionAnswer,
  ReplanCounts,
  VerificationAnswer,
} from './model.ts';

/** Progress of one task of a plan. */
export interface TaskProgress {
  readonly state: 'waiting' | ActionState;
  /** Times that it was begun. */
  readonly attempts: number;
  readonly detail: string;
  readonly evidence: readonly string[];
}

/** Question that has no answer yet. */
export interface OpenQuestion {
  readonly id: string;
  readonly questions: readonly string[];
  readonly assumptions: readonly string[];
  readonly until: string | null;
}

/** Standing of a plan: a fold over its facts and nothing else. */
export interface PlanningState {
  readonly phase: PlanningPhaseName;
  /** Facts so far; numbers the requests. */
  readonly factCount: number;
  /** The latest, with what verification added; null before the first. */
  readonly plan: Plan | null;
  readonly planHash: string | null;
  readonly requestSha256: string | null;
  readonly origin: 'new' | 'continued';
  /** By the id of the task, in the order in which they are carried out. */
  readonly tasks: ReadonlyMap<string, TaskProgress>;
  readonly loopMode: LoopModeReason | null;
  readonly question: OpenQuestion | null;
  /** Questions asked so far. */
  readonly questions: number;
  readonly approval: { readonly planHash: string; readonly state: 'asked' | 'given' | 'void' } | null;
  readonly revisions: number;
  readonly reflections: number;
  /** The last, until a revision or another reflection; null for none. */
  readonly reflection: ReflectionAnswer | null;
  /** Actions that ended since the last reflection. */
  readonly actionsSinceReflection: number;
  readonly replanCounts: ReplanCounts;
  readonly verifications: readonly VerificationAnswer[];
  readonly completion: CompletionAnswer | null;
}

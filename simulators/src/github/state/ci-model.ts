/** What CI does, as tests write it down. */

export type CheckConclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'skipped'
  | 'timed_out'
  | 'action_required';

/** A remark of a check about lines of a file. */
export interface SimulatedAnnotation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
  /** Default: `failure`. */
  readonly level?: 'notice' | 'warning' | 'failure';
}

/** What one check says of a commit. */
export interface SimulatedCheck {
  readonly name: string;
  /** Of a status: all but `success` count as `failure`. */
  readonly conclusion: CheckConclusion;
  /** A job of a workflow of GitHub Actions (default), a check run of another app, or a commit status. */
  readonly kind?: 'actions' | 'app' | 'status';
  /** Milliseconds of the server's clock from its start to its end; default 0. */
  readonly takesMs?: number;
  /** Milliseconds before that in which it is queued; default 0. */
  readonly queuedMs?: number;
  /** Log of a job. */
  readonly log?: string;
  /** Summary of a check run, description of a status. */
  readonly summary?: string;
  readonly annotations?: readonly SimulatedAnnotation[];
}

/** A head that CI looks at. */
export interface SimulatedHead {
  readonly sha: string;
  readonly branch: string;
  /** 1 for what is pushed, more for each time that it is run again. */
  readonly attempt: number;
  /** Text of a file at this commit; null where there is none. */
  readonly read: (path: string) => string | null;
}

/** What CI says of a head. */
export type CheckScript = (head: SimulatedHead) => readonly SimulatedCheck[];

/** Checks that a branch needs before anything is merged to it. */
export interface RequiredChecks {
  readonly names: readonly string[];
  /** The head has to have all of the base, too. */
  readonly strict: boolean;
}

import { type Git, GitFailure } from './git/git.ts';

/** Words in which tests write down what CI does, for both forges. */

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

/** Verdict of one check on a commit. */
export interface SimulatedCheck {
  readonly name: string;
  /** A status knows two: all but `success` count as `failure`. */
  readonly conclusion: CheckConclusion;
  /** A job of the forge's own CI (default), a check run of another app (GitHub alone; elsewhere a status), or a commit status. */
  readonly kind?: 'job' | 'app' | 'status';
  /** Milliseconds of the server's clock from its start to its end; default 0. */
  readonly takesMs?: number;
  /** Milliseconds before that in which it is queued; default 0. */
  readonly queuedMs?: number;
  /** Log of a job. */
  readonly log?: string;
  /** Summary of a check run, description of a status. */
  readonly summary?: string;
  readonly annotations?: readonly SimulatedAnnotation[];
  /** Its failure keeps nobody from merging: `allow_failure` of GitLab's jobs, nothing on GitHub. Default: false. */
  readonly allowFailure?: boolean;
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

/** Answer of CI to a head. */
export type CheckScript = (head: SimulatedHead) => readonly SimulatedCheck[];

/** Asks a script about a head; nothing is said without one. */
export function askScript(
  git: Pick<Git, 'readSync'>,
  script: CheckScript | null,
  head: Omit<SimulatedHead, 'read'> & { readonly gitDirectory: string },
): readonly SimulatedCheck[] {
  const { gitDirectory, ...asked } = head;
  const read = (path: string) => {
    try {
      return git.readSync(gitDirectory, ['show', `${head.sha}:${path}`]);
    } catch (error) {
      if (error instanceof GitFailure) return null;
      throw error;
    }
  };
  return script?.({ ...asked, read }) ?? [];
}

/** When a check that is made now begins and ends. */
export function timesOf(
  { queuedMs = 0, takesMs = 0 }: Pick<SimulatedCheck, 'queuedMs' | 'takesMs'>,
  now: number,
): { readonly startedAt: number; readonly completedAt: number } {
  const startedAt = now + queuedMs;
  return { startedAt, completedAt: startedAt + takesMs };
}

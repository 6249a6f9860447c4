import type { CheckConclusion, CheckScript } from '../../shared/ci-script.ts';
import type { Commit } from '../../shared/git/commits.ts';
import type { User } from './account.ts';
import type { App } from './app-model.ts';

/** Times are milliseconds since the epoch: what CI will say is written down with the time at which it says it. */

export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly message: string;
  readonly title: string | null;
  readonly rawDetails: string | null;
}

/** How a check stands from a time on. */
export interface CheckPhase {
  readonly at: number;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: CheckConclusion | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly output: {
    readonly title: string | null;
    readonly summary: string | null;
    readonly text: string | null;
  };
  readonly annotations: readonly CheckAnnotation[];
}

/** The checks of one app on one commit. */
export interface CheckSuite {
  readonly id: number;
  readonly app: App;
  readonly commit: Commit;
  readonly branch: string | null;
  readonly createdAt: number;
}

export interface CheckRun {
  readonly id: number;
  readonly suite: CheckSuite;
  readonly externalId: string;
  /** Job of GitHub Actions that it shows; null for other apps. */
  readonly job: Job | null;
  /** In their order of time. */
  readonly phases: CheckPhase[];
  name: string;
  detailsUrl: string | null;
}

/** The half of a job that a check run does not have. Its id is that of its check run. */
export interface Job {
  readonly workflow: WorkflowRun;
  readonly attempt: number;
  readonly log: string;
}

/** A run of a workflow of GitHub Actions, with all its attempts. */
export interface WorkflowRun {
  readonly id: number;
  readonly number: number;
  readonly suite: CheckSuite;
  readonly actor: User;
  /** Oldest first. */
  readonly attempts: { readonly by: User; readonly at: number }[];
  /** Jobs of all attempts, oldest first. */
  readonly jobs: CheckRun[];
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly commit: Commit;
  readonly context: string;
  readonly state: 'error' | 'failure' | 'pending' | 'success';
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: User;
  readonly at: number;
}

/** Checks that a branch needs before anything is merged to it. */
export interface RequiredChecks {
  readonly names: readonly string[];
  /** The head has to have all of the base, too. */
  readonly strict: boolean;
}

/** All that a repository knows of checks; by id, oldest first. */
export interface CheckBook {
  readonly suites: Map<number, CheckSuite>;
  readonly runs: Map<number, CheckRun>;
  readonly workflows: Map<number, WorkflowRun>;
  /** By the time at which they are said. */
  readonly statuses: CommitStatus[];
  /** By branch. */
  readonly required: Map<string, RequiredChecks>;
  /** Commits that CI was asked about. */
  readonly asked: Set<string>;
  /** What CI says of new heads; null without CI. */
  script: CheckScript | null;
}

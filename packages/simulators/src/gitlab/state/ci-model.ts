import type { CheckScript } from '../../shared/ci-script.ts';
import type { User } from './account.ts';

/** Times are milliseconds since the epoch: what CI will say is written down with the time at which it says it. */

/** @see https://docs.gitlab.com/ci/jobs/#available-job-statuses */
export type JobStatus = 'pending' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped' | 'manual';

/** State of a job from a time on. */
export interface JobPhase {
  readonly at: number;
  readonly status: JobStatus;
}

/** A job, or what somebody outside says of a commit: GitLab keeps both in one list, with one kind of id. */
export interface Job {
  readonly id: number;
  readonly pipeline: Pipeline;
  readonly name: string;
  readonly user: User;
  readonly createdAt: number;
  /** In their order of time. */
  readonly phases: JobPhase[];
  readonly allowFailure: boolean;
  readonly failureReason: string | null;
  /** Null for what is said from outside. */
  readonly log: string | null;
  /** A newer one of its name has taken its place. */
  isRetried: boolean;
  targetUrl: string | null;
  description: string | null;
}

export interface Pipeline {
  readonly id: number;
  readonly iid: number;
  readonly sha: string;
  /** Name of the branch. */
  readonly ref: string;
  readonly source: 'push' | 'external';
  readonly user: User;
  readonly createdAt: number;
  /** Oldest first, with those that were run again. */
  readonly jobs: Job[];
}

/** All that a project knows of CI. */
export interface CiBook {
  /** By id, oldest first. */
  readonly pipelines: Map<number, Pipeline>;
  /** Commits that CI was asked about. */
  readonly asked: Set<string>;
  /** Answers new heads; null without CI. */
  script: CheckScript | null;
  /** Nothing is merged before its pipeline has succeeded. */
  isRequired: boolean;
}

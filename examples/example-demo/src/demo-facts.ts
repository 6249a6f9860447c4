import type { ObservedModel } from '@agent/simulators/demo';

/** What the world looks like after the run. */
export interface DemoFacts {
  /** Null for a daemon that goes on. */
  readonly exitCode: number | null;
  readonly changeRequestWord: 'pull request' | 'merge request';
  readonly issueNumber: number;
  readonly issueLabels: readonly string[];
  /** The comment on the issue that shows the progress of the run; empty for none. */
  readonly progress: string;
  /** Headings of the other comments on the issue by the agent's account, oldest first. */
  readonly told: readonly string[];
  /** All that the agent's account wrote on the issue and in the pull or merge request. */
  readonly written: string;
  readonly changeRequests: readonly {
    readonly number: number;
    readonly draft: boolean;
    readonly body: string;
  }[];
  /** Paths in the diff of the first one. */
  readonly changedFiles: readonly string[];
  /** Whether the project's tests pass on the default branch, and on that of the pull or merge request; null without one. */
  readonly testsOnMain: boolean;
  readonly testsOnBranch: boolean | null;
  /** What the basket costs there whose total depends on how often it is rounded; null where that cannot be said. */
  readonly roundedTotal: number | null;
  /** What the script was asked; null where a real model played, whose choices nobody can promise. */
  readonly model: ObservedModel | null;
}

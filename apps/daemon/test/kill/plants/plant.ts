import type { FailingTest, SourceChange } from '@agent/simulators/trials';
import type { ForgeName } from '../../support/forge.ts';
import type { PromiseName } from '../faults/promise.ts';

/** A trial of the daemon. */
export interface DaemonTrial {
  /** Name of a class, or of a targeted course. */
  readonly class: string;
  /** Among the trials of the class. */
  readonly seed: number;
}

/** A fault in the daemon's own sources: a finding of a review, made anew. */
export interface Plant {
  readonly name: string;
  /** What the daemon does then. */
  readonly does: string;
  readonly changes: readonly SourceChange[];
  /** Course that shows it. */
  readonly course: string;
  /** Default GitHub. */
  readonly forge?: ForgeName;
  /** Test of a package that fails with it. */
  readonly test: FailingTest;
  /** What the checker finds, or words of what the course itself wants. */
  readonly breaks: PromiseName | { readonly says: string };
}

import type { Git } from './git/git.ts';
import type { SimulatedRequest } from './github-simulator.ts';
import type { Failures } from './http/failures.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { State } from './state/model.ts';

/** Everything that a running simulator consists of. */
export interface Simulation {
  readonly state: State;
  readonly git: Git;
  readonly limits: RateLimits;
  readonly failures: Failures;
  readonly requests: SimulatedRequest[];
  readonly onRequest: (request: SimulatedRequest) => void | Promise<void>;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends waits when the simulator closes. */
  readonly closing: AbortSignal;
}

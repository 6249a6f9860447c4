import type { SimulatedRequest } from '../shared/http/exchange.ts';
import type { Failures } from '../shared/http/failures.ts';
import type { SimulatedGitLabFailure } from './gitlab-simulator.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { World } from './world.ts';

/** Everything that a running simulator consists of. */
export interface Simulation extends World {
  readonly limits: RateLimits;
  readonly failures: Failures<SimulatedGitLabFailure>;
  readonly requests: SimulatedRequest[];
  readonly onRequest: (request: SimulatedRequest) => void | Promise<void>;
  /** Ends waits when the simulator closes. */
  readonly closing: AbortSignal;
  /** Folder of the address, without a slash at its end; may be empty. */
  readonly root: string;
}

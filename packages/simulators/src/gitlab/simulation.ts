import type { Traffic } from '../shared/http/exchange.ts';
import type { SimulatedGitLabFailure } from './gitlab-simulator.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { World } from './world.ts';

/** Everything that a running simulator consists of. */
export interface Simulation extends World, Traffic<SimulatedGitLabFailure> {
  readonly limits: RateLimits;
  /** Folder of the address, without a slash at its end; may be empty. */
  readonly root: string;
}

import type { Git } from '../shared/git/git.ts';
import type { Traffic } from '../shared/http/exchange.ts';
import type { SimulatedFailure } from './github-simulator.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { State } from './state/model.ts';

/** Everything that a running simulator consists of. */
export interface Simulation extends Traffic<SimulatedFailure> {
  readonly state: State;
  readonly git: Git;
  readonly limits: RateLimits;
}

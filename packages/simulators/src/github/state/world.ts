import type { Git } from '../../shared/git/git.ts';
import type { State } from './model.ts';

/** State and git together: what pull requests are made of. */
export interface World {
  readonly state: State;
  readonly git: Git;
}

import type { RunState } from '../ports.ts';
import { createRunState } from '../run-state.ts';

/** Opens the state in a directory without the rest of a run, for tests of what is kept there. */
export function openRunState(directory: string): RunState {
  return createRunState(directory);
}

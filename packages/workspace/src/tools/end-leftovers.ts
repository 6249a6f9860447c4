import { markVariable } from './command-environment.ts';
import { endProcesses } from './end-processes.ts';

/** Ends every process of one call: also what a command started and put into a group or session of its own. */
export function endLeftovers(mark: string): Promise<void> {
  return endProcesses((environment) => environment.get(markVariable) === mark);
}

/**
 * Ends every process of an owner's calls. A command outlives a daemon that was killed: what it does then would come
 * behind the back of whoever goes on with the run.
 */
export function endCommandsOf(owner: string): Promise<void> {
  return endProcesses((environment) => environment.get(markVariable)?.startsWith(`${owner}/`) === true);
}

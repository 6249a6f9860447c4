import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { homePrefix } from '../tools/command-environment.ts';
import { endProcesses } from '../tools/end-processes.ts';
import { askpassPrefix } from './askpass.ts';
import { daemonVariable } from './git-environment.ts';
import { removeTree } from './remove-tree.ts';

/**
 * Clears what a killed process left in the workspaces' directory: git that still works there, helpers, homes of
 * commands. A lock file may be taken away from a git that is dead, never from one that only lost its daemon.
 */
export async function clearLeftovers(directory: string): Promise<void> {
  await endProcesses(
    (environment) =>
      environment.get('GIT_COMMON_DIR')?.startsWith(`${directory}${sep}`) === true &&
      environment.get(daemonVariable) !== String(process.pid),
  );
  for (const name of await readdir(directory)) {
    const isLeft = name.startsWith(askpassPrefix) || name.startsWith(homePrefix);
    if (isLeft) await removeTree(join(directory, name));
  }
}

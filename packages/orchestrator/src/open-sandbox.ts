import { join } from 'node:path';
import { type CommandSandbox, chooseSandbox } from '@agent/workspace/sandbox';
import type { RunSettings } from './config/run-settings.ts';
import type { RunDirectories, RunLogger } from './ports.ts';

export interface OpenSandboxOptions {
  readonly settings: Pick<RunSettings, 'tools'>;
  readonly directories: RunDirectories;
  /** Files and directories that commands must not see, beside those of runs. */
  readonly hidden: readonly string[];
  readonly logger: RunLogger;
}

/**
 * Finds out how the commands of all runs are kept in, before the first task is taken.
 *
 * @throws WorkspaceError when the settings ask for what is not there
 */
export async function openSandbox({
  settings,
  directories,
  hidden: others,
  logger,
}: OpenSandboxOptions): Promise<CommandSandbox> {
  const { sandbox: mode, allow_root: allowRoot, network, show: shown } = settings.tools.run_command;
  const { contexts, paused, workspaces } = directories;
  // A task's own worktree is shown again on top; those of other tasks stay out of sight.
  const hidden = [contexts, paused, workspaces, ...others];
  const probeDirectory = join(contexts, '.sandbox-probe');
  const sandbox = await chooseSandbox({ mode, allowRoot, network, shown, hidden, probeDirectory });
  if (sandbox.kind === 'bubblewrap') logger.info({ network }, 'commands run in bubblewrap');
  else if (mode === 'external') logger.info({}, 'commands are kept in by what the daemon runs in');
  else logger.warn({}, 'commands run without a sandbox; SECURITY.md says what that means');
  return sandbox;
}

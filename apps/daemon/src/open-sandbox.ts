import { join, resolve } from 'node:path';
import { type CommandSandbox, chooseSandbox } from '@agent/workspace/sandbox';
import type { LoadedConfig } from './config/load-config.ts';
import type { RunDirectories } from './config/run-directories.ts';
import type { DaemonLogger } from './log/logger.ts';

export interface OpenSandboxOptions {
  readonly loaded: LoadedConfig;
  readonly configFile: string;
  readonly directories: RunDirectories;
  readonly logger: DaemonLogger;
}

/**
 * Finds out how the commands of all runs are kept in, before the first task is taken.
 *
 * @throws ConfigError when the configuration asks for what is not there
 */
export async function openSandbox(options: OpenSandboxOptions): Promise<CommandSandbox> {
  const { loaded, directories, logger } = options;
  const { config, directory } = loaded;
  const { sandbox: mode, allow_root: allowRoot, network, show: shown } = config.tools.run_command;
  // A task's own worktree is shown again on top; those of other tasks stay out of sight.
  const data = [directories.contexts, directories.paused, resolve(directory, config.workspaces.base_dir)];
  const hidden = [...data, join(directory, '.env'), resolve(options.configFile)];
  const probeDirectory = join(directories.contexts, '.sandbox-probe');
  const sandbox = await chooseSandbox({ mode, allowRoot, network, shown, hidden, probeDirectory });
  if (sandbox.kind === 'bubblewrap') logger.info({ network }, 'commands run in bubblewrap');
  else if (mode === 'external') logger.info({}, 'commands are kept in by what the daemon runs in');
  else logger.warn({}, 'commands run without a sandbox; SECURITY.md says what that means');
  return sandbox;
}

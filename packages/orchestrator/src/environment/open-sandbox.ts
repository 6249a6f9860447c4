import { join } from 'node:path';
import { listRegistryVariables } from '@agent/workspace/config';
import { type CommandSandbox, chooseSandbox } from '@agent/workspace/sandbox';
import { isAgentOffline } from '../config/executor-mistakes.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment, RunDirectories, RunLogger } from '../host/ports.ts';
import type { NoticeEvent } from '../state/notice.ts';

export interface OpenSandboxOptions {
  readonly settings: Pick<RunSettings, 'tools' | 'environments' | 'executor'>;
  readonly directories: RunDirectories;
  /** Secrets of registries are taken from it. */
  readonly environment: Environment;
  /** Files and directories that commands must not see, beside those of runs. */
  readonly hidden: readonly string[];
  /** Receives what an operator should know. */
  readonly observe: (event: NoticeEvent) => void;
  readonly logger: RunLogger;
}

/**
 * Finds out how the commands of all runs are kept in, before the first task is taken, and says what of the settings does not hold
 * on this machine.
 *
 * @throws WorkspaceError when the settings ask for what is not there; Error that names the variable where a registry's secret is missing
 */
export async function openSandbox({
  settings,
  directories,
  environment,
  hidden: others,
  observe,
  logger,
}: OpenSandboxOptions): Promise<CommandSandbox> {
  const { network } = settings.tools.run_command;
  const { mode, ...choice } = toSandboxOptions(settings.tools.run_command);
  requireSecrets(settings, environment);
  const { contexts, paused, workspaces } = directories;
  // A task's own worktree is shown again on top; those of other tasks stay out of sight.
  const hidden = [contexts, paused, workspaces, ...others];
  const probeDirectory = join(contexts, '.sandbox-probe');
  const sandbox = await chooseSandbox({ mode, ...choice, hidden, probeDirectory });
  if (sandbox.kind === 'bubblewrap') logger.info({ network }, 'running commands in bubblewrap');
  else if (mode === 'external') logger.info({}, 'running commands without bubblewrap: sandbox is external');
  else {
    logger.warn({}, 'running commands without a sandbox: commands have all permissions of the daemon');
    const about = { cause: 'no_sandbox', area: 'commands', text: null, remedy: null } as const;
    observe({ type: 'notice', notice: about });
  }
  if (sandbox.kind === 'none') tellWhatFails(settings, { mode, logger });
  if (isAgentOffline(settings))
    logger.warn(
      { keys: ['tools.run_command.network', 'environments.network'] },
      'agent cannot reach its model: set `tools.run_command.network: true`, or `network.allow` of an entry in `environments`',
    );
  return sandbox;
}

/** Converts the settings of the sandbox. */
export function toSandboxOptions({
  sandbox: mode,
  allow_root: allowRoot,
  nested_namespaces: nestedNamespaces,
  show: shown,
}: RunSettings['tools']['run_command']) {
  return { mode, allowRoot, nestedNamespaces, shown };
}

function requireSecrets({ environments }: Pick<RunSettings, 'environments'>, environment: Environment): void {
  const missing = listRegistryVariables(environments).filter((name) => !environment[name]?.trim());
  if (missing.length === 0) return;
  throw new Error(
    `${missing.join(', ')} must be set in the environment: environments.registries names ${missing.length === 1 ? 'it' : 'them'} in token_env.`,
  );
}

/** Walls that only bubblewrap builds: without it an environment that names them is told so, one line for each. */
function tellWhatFails(
  { environments }: Pick<RunSettings, 'environments'>,
  { mode, logger }: { readonly mode: 'required' | 'external' | 'off'; readonly logger: RunLogger },
): void {
  for (const { repositories, network, registries, shell } of environments) {
    if (network !== null && network !== 'on')
      logger.warn(
        { repositories },
        'cannot enforce `network` without bubblewrap: commands can reach the whole network',
      );
    if (registries.some(({ token_env: name }) => name !== null))
      logger.warn(
        { repositories },
        'cannot protect registry tokens without bubblewrap: commands and local programs can use them',
      );
    if (shell && mode === 'off')
      logger.warn({ repositories }, 'ignoring `shell`: a shell requires a sandbox');
  }
}

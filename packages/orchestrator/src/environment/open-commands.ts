import {
  applyEntry,
  type CommandPlace,
  createCommandPlace,
  type EnvironmentDefaults,
  findEnvironment,
  isKeptIn,
  narrowEnvironment,
  openCommandNetwork,
  type RepositoryEnvironment,
  readRepositoryFile,
  repositoryFileName,
  type TaskWorkspace,
} from '@agent/workspace';
import type { CommandSandbox } from '@agent/workspace/sandbox';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment } from '../host/ports.ts';
import type { Run } from '../run/run.ts';

export interface OpenCommandsOptions {
  readonly settings: Pick<RunSettings, 'environments' | 'tools'>;
  readonly sandbox: CommandSandbox;
  /** Secrets of registries are taken from it. */
  readonly environment: Environment;
  readonly hideKnownSecrets: (text: string) => string;
}

/** Place of a run's commands, and what holds in it. */
export interface RunCommands {
  readonly environment: RepositoryEnvironment;
  /** Repositories of its entry in `environments`, such as `acme/*`; `default` if no entry matches. */
  readonly selected: string;
  readonly place: CommandPlace;
  /** Mistake in the repository's own file, of which nothing counts; null for none. */
  readonly problem: string | null;
  /** True where commands of the repository's set-up and checks do not run, because nothing would keep them in. */
  readonly ignoresSetup: boolean;
}

export interface OpenCommandsAt {
  readonly workspace: TaskWorkspace;
  readonly signal?: AbortSignal | undefined;
}

/** Opens the place of a run's commands: by what the operator says of the repository, narrowed by what stands on its base branch. */
export type OpenCommands = (run: Run, at: OpenCommandsAt) => Promise<RunCommands>;

/** Creates it. */
export function createOpenCommands({
  settings,
  sandbox,
  environment,
  hideKnownSecrets,
}: OpenCommandsOptions): OpenCommands {
  const { network_ports: ports } = settings.tools.run_command;
  const defaults = toDefaults(settings.tools.run_command);
  return async (run, { workspace, signal }) => {
    const path = run.facts.repository?.path ?? '';
    const entry = findEnvironment(settings.environments, path);
    const allowed = applyEntry(entry, defaults);
    const reads = entry?.repository_file !== false;
    const [text = null] = reads ? await workspace.readBaseFiles([repositoryFileName], { signal }) : [];
    const { file, problem } = text === null ? { file: null, problem: null } : readRepositoryFile(text);
    const ignoresSetup = !isKeptIn({ sandbox }) && file !== null && (file.setup ?? file.checks) !== null;
    const counted = file !== null && ignoresSetup ? { ...file, setup: null, checks: null } : file;
    const narrowed = counted === null ? allowed : narrowEnvironment(allowed, counted);
    const { network: rule, registries, limits, variables } = narrowed;
    const { homesDirectory } = workspace;
    const network = await openCommandNetwork({
      ...{ sandbox, rule, ports, registries, environment },
      directory: homesDirectory,
      logger: run.logger,
    });
    const place = createCommandPlace({
      workspacePath: workspace.path,
      gitDirectories: workspace.gitDirectories,
      ...{ homesDirectory, sandbox, limits, network },
      owner: run.uuid,
      environment: variables,
      hideSecrets: hideKnownSecrets,
    });
    return {
      environment: narrowed,
      selected: entry?.repositories.join(', ') ?? 'default',
      place,
      problem,
      ignoresSetup,
    };
  };
}

/** Converts the settings that hold for every repository. */
export function toDefaults({
  network,
  timeout_seconds,
  limits,
}: RunSettings['tools']['run_command']): EnvironmentDefaults {
  return {
    network,
    timeoutMs: timeout_seconds * 1_000,
    limits: {
      cpuSeconds: limits.cpu_seconds,
      memoryMb: limits.memory_mb,
      processes: limits.processes,
      fileSizeMb: limits.file_size_mb,
      diskMb: limits.disk_mb,
    },
  };
}

import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homePrefix, keptHomePrefix, removeTree } from '../machine/directories.ts';
import { createMark, markVariable } from '../machine/end-processes.ts';
import { guardPath } from '../machine/guarded-path.ts';
import { type BridgeRoute, bridgeCommand } from '../network/bridge.ts';
import type { CommandNetwork } from '../network/command-network.ts';
import { type CommandLimits, defaultLimits } from '../sandbox/command-limits.ts';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import { findExecutable, searchedDirectories } from '../sandbox/sandbox-arguments.ts';
import { wrapCommand } from '../sandbox/wrap-command.ts';
import { ToolError } from '../workspace-error.ts';
import type { HideSecrets } from './capped-output.ts';
import { type CommandCall, type CommandResult, runCommand } from './command-process.ts';
import { type PlacedProcess, startPlacedProcess } from './placed-process.ts';

/** Options of `createCommandPlace`. */
export interface CommandPlaceOptions {
  readonly workspacePath: string;
  /** Kept from being written to where there is a sandbox. */
  readonly gitDirectories?: readonly string[] | undefined;
  readonly sandbox: CommandSandbox;
  /** Limits of one command with all that it starts. Default 4 GB, 1,024 processes and threads, files of 1 GB, 20 GB of disk, 30 min of processor time. */
  readonly limits?: CommandLimits | undefined;
  /** Between two looks at what they take together. Default a second. */
  readonly pause?: CommandCall['pause'];
  /** PATH on which programs are looked for. Default that of this process. */
  readonly path?: string | undefined;
  /** Directory in which the commands' private home is made. Default the system's one for temporary files. */
  readonly homesDirectory?: string | undefined;
  /** Owner of these commands: `endCommandsOf` ends those that a killed process left. Default nobody. */
  readonly owner?: string | undefined;
  /** Further variables for every command. Nothing secret. Default none. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Hides secrets in what commands write, before any of it is left out. Default: hides none. */
  readonly hideSecrets?: HideSecrets | undefined;
  /** Way to the network; closed with the place. Default: none in a sandbox. */
  readonly network?: CommandNetwork | undefined;
}

/** A program that is to run in the place. */
export interface PlacedCall {
  /** Absolute path of the program, then its arguments. */
  readonly command: readonly string[];
  /** Relative to the worktree. Default its root. */
  readonly workingDirectory?: string | undefined;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Ports on which it listens: commands that begin while it runs reach them on their own loopback. Default none. */
  readonly opensPorts?: readonly number[] | undefined;
  readonly onOutput?: CommandCall['onOutput'];
}

/** A program that is to stay in the place. */
export interface PlacedProgram {
  /** Absolute path of the program, then its arguments. */
  readonly command: readonly string[];
  /** Variables for it alone: what it may know and commands may not. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The place in which all commands of a run work: worktree, home, limits, sandbox and network. */
export interface CommandPlace {
  readonly sandbox: CommandSandbox;
  readonly limits: CommandLimits;
  /** Says what commands reach of the network, after a space; empty where that needs no words. */
  readonly networkNote: string;
  /** Hides secrets in what commands write. */
  readonly hideSecrets: HideSecrets;
  /** Finds a program of the machine; null where there is none. */
  readonly findProgram: (name: string) => Promise<string | null>;
  /** Makes the private home of commands at its first use. */
  readonly home: () => Promise<string>;
  readonly run: (call: PlacedCall) => Promise<CommandResult>;
  /** Starts a program that stays, with a home that outlives this place: another one of the same owner finds it again. */
  readonly start: (program: PlacedProgram) => Promise<PlacedProcess>;
  /** Removes the home and closes the way to the network. Call it when the run has ended. */
  readonly close: () => Promise<void>;
}

/**
 * Creates it; nothing is made before the first command.
 *
 * @example
 * const place = createCommandPlace({ workspacePath: '/srv/worktree', sandbox: await chooseSandbox({ mode: 'required' }) });
 * await place.run({ command: ['/bin/ls'], timeoutMs: 10_000, maxOutputBytes: 4_096 });
 * await place.close();
 */
export function createCommandPlace(options: CommandPlaceOptions): CommandPlace {
  const { sandbox, limits = defaultLimits, network, gitDirectories = [], owner = 'nobody' } = options;
  const { hideSecrets = (text: string) => text } = options;
  const openPorts = createOpenPorts();
  let made: Promise<string> | null = null;
  const home = () => {
    made ??= makeHome(options.homesDirectory ?? tmpdir()).catch((error: unknown) => {
      // The next call tries again: a full disk passes.
      made = null;
      throw error;
    });
    return made;
  };
  const findPlace = async () => {
    const worktree = await realpath(options.workspacePath);
    const path = searchedDirectories({ path: options.path ?? process.env.PATH ?? '', worktree }).join(':');
    return { worktree, path };
  };
  return {
    sandbox,
    limits,
    networkNote: network?.note ?? (sandbox.kind === 'none' ? '' : ' There is no network.'),
    findProgram: async (name) => findExecutable(name, await findPlace()),
    home,
    hideSecrets,
    run: async ({ command, workingDirectory = '.', opensPorts = [], ...call }) => {
      const { worktree, path } = await findPlace();
      const place = {
        worktree,
        path,
        home: await home(),
        directory: await findDirectory(worktree, workingDirectory),
      };
      const mark = createMark(owner);
      const own = sandbox.kind === 'none' ? [] : opensPorts;
      const routes = await openPorts.routesFor(own, place.home);
      const way = {
        sockets: network?.sockets ?? null,
        bridge: bridgeCommand([...(network?.routes ?? []), ...routes]),
      };
      const variables = { ...options.environment, ...network?.variables };
      return runCommand({
        ...call,
        hideSecrets,
        command: await wrapCommand(command, { ...place, ...way, gitDirectories, limits, sandbox }),
        directory: place.directory,
        directories: [worktree, place.home],
        environment: commandEnvironment({ path, home: place.home, variables, mark }),
        mark,
        limits,
        pause: options.pause,
      }).finally(() => openPorts.close(own));
    },
    start: async ({ command, variables }) => {
      const { worktree, path } = await findPlace();
      const home = await keepHome(options.homesDirectory ?? tmpdir(), owner);
      const mark = createMark(owner);
      const way = { sockets: network?.sockets ?? null, bridge: bridgeCommand(network?.routes ?? []) };
      const place = { worktree, path, home, directory: worktree };
      const shared = { ...options.environment, ...network?.variables, ...variables };
      return startPlacedProcess({
        command: await wrapCommand(command, { ...place, ...way, gitDirectories, limits, sandbox }),
        directory: worktree,
        directories: [worktree, home],
        environment: commandEnvironment({ path, home, variables: shared, mark }),
        ...{ mark, limits, hideSecrets, pause: options.pause },
      });
    },
    close: async () => {
      if (made !== null) await removeTree(await made);
      made = null;
      await network?.close();
    },
  };
}

/** Ports that running commands have opened to others, which have networks of their own. */
function createOpenPorts() {
  const open = new Map<number, string>();
  return {
    /** Ways to the ports of commands that run, and from the sockets of those that this one opens. */
    routesFor: async (own: readonly number[], home: string): Promise<readonly BridgeRoute[]> => {
      const taken = own.find((port) => open.has(port));
      if (taken !== undefined)
        throw new ToolError(`Port ${taken} belongs to a process that is already running.`);
      const others = [...open].map(([port, socket]): BridgeRoute => [port, socket]);
      if (own.length > 0) await mkdir(join(home, 'ports'), { recursive: true });
      const routes = own.map((port): BridgeRoute => [join(home, 'ports', String(port)), port]);
      for (const [socket, port] of routes) {
        await rm(String(socket), { force: true });
        open.set(Number(port), String(socket));
      }
      return [...others, ...routes];
    },
    close: (own: readonly number[]): void => {
      for (const port of own) open.delete(port);
    },
  };
}

async function makeHome(parent: string): Promise<string> {
  const path = await realpath(await mkdtemp(join(parent, homePrefix)));
  await mkdir(join(path, 'tmp'));
  return path;
}

async function keepHome(parent: string, owner: string): Promise<string> {
  const path = join(await realpath(parent), `${keptHomePrefix}${owner}`);
  await mkdir(join(path, 'tmp'), { recursive: true, mode: 0o700 });
  return path;
}

async function findDirectory(worktree: string, path: string): Promise<string> {
  const guarded = await guardPath(worktree, path);
  if (!guarded.exists || !(await stat(guarded.real)).isDirectory()) {
    throw new ToolError(`working_directory "${guarded.shown}" is not a directory of the repository.`);
  }
  return guarded.real;
}

interface CommandEnvironment {
  /** PATH of the command. */
  readonly path: string;
  /** Private directory that stands for the user's home. */
  readonly home: string;
  /** Variables that the configuration passes on. */
  readonly variables: Readonly<Record<string, string>>;
  /** Marks every process of the call, so that what outlives it can be found. */
  readonly mark: string;
}

/** The whole environment of a command: nothing of the daemon's own but PATH, and no secret. */
function commandEnvironment({ path, home, variables, mark }: CommandEnvironment): Record<string, string> {
  return {
    ...variables,
    PATH: path,
    HOME: home,
    TMPDIR: `${home}/tmp`,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    [markVariable]: mark,
  };
}

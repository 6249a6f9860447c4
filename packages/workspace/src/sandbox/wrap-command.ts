import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CommandLimits, limitCommand } from './command-limits.ts';
import type { Bubblewrap, CommandSandbox } from './command-sandbox.ts';
import { listHiddenPlaces, listHomes, listShownPlaces, systemDirectories } from './places.ts';
import { type SandboxView, sandboxArguments, searchedDirectories } from './sandbox-arguments.ts';
import type { WrappedCommand } from './spawn-wrapped.ts';

export interface WrapOptions {
  readonly worktree: string;
  readonly gitDirectories: readonly string[];
  readonly home: string;
  readonly directory: string;
  /** PATH of the command. */
  readonly path: string;
  readonly limits: CommandLimits;
  /** Directory of sockets that lead out of the sandbox; null for none. */
  readonly sockets: string | null;
  /** Program and arguments that start the command inside the sandbox; empty for none. */
  readonly bridge: readonly string[];
}

/** Wraps a command in its limits, and in the sandbox if there is one. */
export async function wrapCommand(
  command: readonly string[],
  { sandbox, limits, bridge, ...place }: WrapOptions & { readonly sandbox: CommandSandbox },
): Promise<WrappedCommand> {
  if (sandbox.kind === 'none')
    return { command: limitCommand(command, { limits, ownAccount: false }), contents: [] };
  const view = await viewOf(command[0] ?? '/', { ...place, sandbox });
  return enterSandbox([...bridge, ...limitCommand(command, { limits, ownAccount: true })], { sandbox, view });
}

/**
 * Puts a command into bubblewrap. Its arguments and its filter are read from descriptors: the command line of process 1, which
 * commands can read, names no path of the machine.
 */
export function enterSandbox(
  command: readonly string[],
  { sandbox, view }: { readonly sandbox: Bubblewrap; readonly view: SandboxView },
): WrappedCommand {
  const args = Buffer.from(
    sandboxArguments(view)
      .map((argument) => `${argument}\0`)
      .join(''),
  );
  return {
    command: [sandbox.path, '--args', '3', '--seccomp', '4', '--', ...command],
    contents: [args, sandbox.filter],
  };
}

/** Files in which the kernel lists its keys. */
export const keyLists = ['/proc/keys', '/proc/key-users'].filter((path) => existsSync(path));

async function viewOf(
  program: string,
  options: Omit<WrapOptions, 'limits' | 'bridge'> & {
    readonly sandbox: Bubblewrap;
  },
): Promise<SandboxView> {
  const { sandbox, path, ...place } = options;
  const homes = await listHomes();
  const shown = await listShownPlaces({
    directories: [...searchedDirectories({ path, worktree: place.worktree }), dirname(process.execPath)],
    programs: [program],
    extra: sandbox.shown,
    homes,
  });
  const hidden = await listHiddenPlaces({ system: systemDirectories, shown, hidden: sandbox.hidden, homes });
  const { system, options: known, nestedNamespaces } = sandbox;
  const hiddenFiles = [...hidden.hiddenFiles, ...keyLists];
  return { ...place, ...hidden, hiddenFiles, system, shown, options: known, nestedNamespaces };
}

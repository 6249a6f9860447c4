import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/** A path of the machine as a command sees it: at its own place, or where a link of that name stood. */
export interface ShownPlace {
  readonly path: string;
  /** Free of links. */
  readonly source: string;
}

/** Everything that a command may see and change. All paths are absolute; whatever is not named here does not exist for it. */
export interface SandboxView {
  /** Arguments that show the system: its programs, libraries and a few files of `/etc`. */
  readonly system: readonly string[];
  /** Directories and files shown to be read: tools of the machine outside the system's directories. */
  readonly shown: readonly ShownPlace[];
  /** Directories inside shown ones that seem empty. */
  readonly hiddenDirectories: readonly string[];
  /** Files inside shown directories that seem empty. */
  readonly hiddenFiles: readonly string[];
  /** May be read, never written to: what git believes. */
  readonly gitDirectories: readonly string[];
  /** May be written to. */
  readonly worktree: string;
  /** The command's own home and temporary directory. */
  readonly home: string;
  readonly directory: string;
  /** Directory of sockets that lead out; null for none. */
  readonly sockets: string | null;
  readonly nestedNamespaces: boolean;
  /** Options that not every bubblewrap knows and this one does. */
  readonly options: ReadonlySet<BubblewrapOption>;
}

/** `--disable-userns` came with 0.8.0, `--size` shortly before. */
export const newerOptions = ['--disable-userns', '--size'] as const;
export type BubblewrapOption = (typeof newerOptions)[number];

/** Most bytes that files in memory (`/tmp`, `/dev/shm`) take. */
const memoryFileBytes = 256 * 1024 * 1024;

/**
 * Arguments of bubblewrap, without the command. It begins with an empty root, and later arguments lie over earlier
 * ones: first the machine, then what is hidden in it, then what belongs to the task, which may lie inside a hidden place.
 *
 * @see https://github.com/containers/bubblewrap
 */
export function sandboxArguments(view: SandboxView): readonly string[] {
  const { options } = view;
  const inMemory = (path: string) => [
    ...(options.has('--size') ? ['--size', String(memoryFileBytes)] : []),
    ...['--tmpfs', path],
  ];
  const readOnly = (place: ShownPlace) => ['--ro-bind', place.source, place.path];
  return [
    ...[...view.system, '--dev', '/dev', ...inMemory('/dev/shm'), '--remount-ro', '/dev'],
    // Many files there ask for the user's number alone: as root they could be written to without any capability.
    ...['--proc', '/proc', '--remount-ro', '/proc', ...inMemory('/tmp')],
    ...outsideIn(view.shown, ({ path }) => path).flatMap(readOnly),
    ...outsideIn(view.hiddenDirectories).flatMap((path) => ['--tmpfs', path]),
    ...view.hiddenFiles.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...view.gitDirectories.flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', view.worktree, view.worktree],
    ...['--ro-bind-try', `${view.worktree}/.git`, `${view.worktree}/.git`],
    ...['--bind', view.home, view.home],
    ...(view.sockets === null ? [] : ['--ro-bind', view.sockets, view.sockets]),
    ...[...view.hiddenDirectories, '/'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', view.directory],
    ...(options.has('--disable-userns') && !view.nestedNamespaces
      ? ['--unshare-user', '--disable-userns']
      : []),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try', '--unshare-net'],
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
  ];
}

function outsideIn<T>(places: readonly T[], pathOf: (place: T) => string = String): readonly T[] {
  return [...places].sort((a, b) => pathOf(a).length - pathOf(b).length);
}

/**
 * Finds a program by name in the directories of PATH; null when there is none. Relative directories, and those inside the
 * worktree, do not count: what a repository brings cannot pass for a tool of the machine.
 */
export async function findExecutable(
  name: string,
  options: { readonly path: string; readonly worktree: string },
): Promise<string | null> {
  if (name.includes('/') || name === '' || name === '.' || name === '..') return null;
  for (const directory of searchedDirectories(options)) {
    const file = join(directory, name);
    if (await isExecutable(file)) {
      const real = await realpath(file);
      if (!isInside(options.worktree, real)) return file;
    }
  }
  return null;
}

/**
 * Finds a program that an operator names: in PATH, or by its absolute path; null where none is there that may be started, or what
 * is there lies in the worktree.
 */
export async function findNamedProgram(
  command: string,
  {
    path = process.env.PATH ?? '',
    worktree,
  }: { readonly path?: string | undefined; readonly worktree: string },
): Promise<string | null> {
  if (!isAbsolute(command)) return findExecutable(command, { path, worktree });
  if (!(await isExecutable(command))) return null;
  return isInside(worktree, await realpath(command)) ? null : command;
}

/** The absolute directories of a PATH that lie outside the worktree. */
export function searchedDirectories(options: {
  readonly path: string;
  readonly worktree: string;
}): readonly string[] {
  const directories = options.path.split(delimiter).filter((directory) => isAbsolute(directory));
  return [...new Set(directories)].filter((directory) => !isInside(options.worktree, directory));
}

/** Tells whether a path is the directory or lies below it. */
export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing or not ours to run: the next directory is asked.
    return false;
  }
}

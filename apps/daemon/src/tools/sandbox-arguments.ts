import { basename, dirname } from 'node:path';
import { isInside } from './find-executable.ts';

/** What a command may see and change. All paths are absolute and free of links. */
export interface SandboxView {
  /** May be written to. */
  readonly worktree: string;
  /** May be read, never written to: what git believes. */
  readonly gitDirectories: readonly string[];
  /** The command's own home and temporary directory. */
  readonly home: string;
  /** Directories that seem empty: the user's home, other tasks' files, the daemon's data. */
  readonly hiddenDirectories: readonly string[];
  /** Files that seem empty: configuration with secrets. */
  readonly hiddenFiles: readonly string[];
  /** Below a hidden directory, but shown to be read: tools of the machine. */
  readonly visible: readonly string[];
  readonly directory: string;
  readonly network: boolean;
}

/** Emptied in every sandbox: other programs' files and sockets, through which one could talk past the network's absence. */
const alwaysHidden = ['/tmp', '/var/tmp', '/run', '/dev/shm'] as const;

/**
 * Arguments of bubblewrap up to and including `--`. Later ones lie over earlier ones, so hidden places come first, from
 * the outside in, and what must be seen inside them after.
 *
 * @see https://github.com/containers/bubblewrap
 */
export function sandboxArguments(view: SandboxView): readonly string[] {
  const hidden = [...new Set([...alwaysHidden, ...view.hiddenDirectories])].filter(
    (path) => path !== '/' && !isInside(path, '/usr') && !isInside(path, '/dev'),
  );
  const outsideIn = (a: string, b: string) => a.length - b.length;
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...hidden.sort(outsideIn).flatMap((path) => ['--tmpfs', path]),
    ...view.hiddenFiles.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...[...view.visible].sort(outsideIn).flatMap((path) => ['--ro-bind-try', path, path]),
    ...(view.network ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : []),
    ...view.gitDirectories.flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', view.worktree, view.worktree],
    ...['--ro-bind-try', `${view.worktree}/.git`, `${view.worktree}/.git`],
    ...['--bind', view.home, view.home],
    ...['--chdir', view.directory],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try', ...(view.network ? [] : ['--unshare-net'])],
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--'],
  ];
}

/**
 * What must stay readable of a tool that lies in a hidden place: the directory above its `bin` (where its libraries are),
 * but never a whole home or `~/.local`, which hold other things too.
 */
export function toolDirectory(binDirectory: string, homes: readonly string[]): string {
  const parent = dirname(binDirectory);
  const tooWide = homes.some((home) => isInside(parent, home) || parent === `${home}/.local`);
  return ['bin', 'sbin', '.bin', 'shims'].includes(basename(binDirectory)) && !tooWide
    ? parent
    : binDirectory;
}

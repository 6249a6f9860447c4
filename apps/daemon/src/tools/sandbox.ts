import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../workspace/remove-tree.ts';
import { findExecutable, isInside, searchedDirectories } from './find-executable.ts';
import { type SandboxView, sandboxArguments, toolDirectory } from './sandbox-arguments.ts';

const execute = promisify(execFile);

/** How commands are kept in. */
export type CommandSandbox =
  | {
      readonly kind: 'bubblewrap';
      /** Absolute path of `bwrap`. */
      readonly path: string;
      readonly network: boolean;
      readonly hidden: readonly string[];
    }
  | { readonly kind: 'none' /** Why, for the log. */; readonly reason: string };

export interface SandboxOptions {
  /** `auto` uses bubblewrap where it works, `required` fails without it, `off` never uses it. */
  readonly mode: 'auto' | 'required' | 'off';
  /** Whether commands may reach the network. Only a sandbox can keep them from it. Default false. */
  readonly network?: boolean | undefined;
  /** Files and directories that commands must not see, beside the homes: the daemon's data, `.env`, configuration. */
  readonly hidden?: readonly string[] | undefined;
  /** Where `bwrap` is looked for. Default the PATH of this process. */
  readonly path?: string | undefined;
  /**
   * Made for the trial and removed after it, with what a killed process left there; nobody else may use it. Default a
   * new one in the system's directory for temporary files.
   */
  readonly probeDirectory?: string | undefined;
}

/**
 * Decides once, at start, how commands are kept in: by trying, not by guessing.
 *
 * @throws Error that says what to do when a sandbox is required and does not work
 */
export async function chooseSandbox(options: SandboxOptions): Promise<CommandSandbox> {
  const { mode, network = false, hidden = [], path = process.env.PATH ?? '', probeDirectory } = options;
  if (mode === 'off') return { kind: 'none', reason: 'switched off by the configuration' };
  const probe = await probeSandbox({ path, network, probeDirectory });
  if (probe.works) return { kind: 'bubblewrap', path: probe.path, network, hidden };
  if (mode === 'auto') return { kind: 'none', reason: probe.reason };
  throw new Error(
    `A sandbox is required, but ${probe.reason}. Install bubblewrap and allow user namespaces, or set the sandbox to auto.`,
  );
}

/** Runs bubblewrap once, with the very arguments that commands get, and sees whether its walls stand. */
async function probeSandbox(options: {
  readonly path: string;
  readonly network: boolean;
  readonly probeDirectory: string | undefined;
}): Promise<
  { readonly works: true; readonly path: string } | { readonly works: false; readonly reason: string }
> {
  const bwrap = await findExecutable('bwrap', { path: options.path, worktree: '/nonexistent' });
  if (bwrap === null) return { works: false, reason: 'bubblewrap (bwrap) is not installed' };
  const base = await realpath(await makeProbeDirectory(options.probeDirectory));
  try {
    await writeFile(join(base, 'secret'), 'seen');
    const [worktree, home] = [await mkdtemp(join(base, 'work-')), await mkdtemp(join(base, 'home-'))];
    const view = {
      worktree,
      home,
      gitDirectories: [],
      hiddenDirectories: [base],
      hiddenFiles: [],
      visible: [],
    };
    const args = sandboxArguments({ ...view, directory: worktree, network: options.network });
    const script = `echo in > file && test ! -e ${base}/secret && ! (echo x > /etc/agent-probe) 2>/dev/null && echo works`;
    const { stdout } = await execute(bwrap, [...args, '/bin/sh', '-c', script], {
      timeout: 10_000,
      env: {},
      cwd: worktree,
    });
    if (stdout.trim() === 'works') return { works: true, path: bwrap };
    return { works: false, reason: 'bubblewrap runs here but does not keep commands in' };
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
    return { works: false, reason: `bubblewrap does not work here (${said.split('\n')[0]})` };
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function makeProbeDirectory(path: string | undefined): Promise<string> {
  if (path === undefined) return mkdtemp(join(tmpdir(), 'agent-probe-'));
  await removeTree(path);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

export interface WrapOptions {
  readonly worktree: string;
  readonly gitDirectories: readonly string[];
  readonly home: string;
  readonly directory: string;
  /** PATH of the command. */
  readonly path: string;
}

/** The command as it is started: inside the sandbox where there is one. */
export async function wrapCommand(
  command: readonly string[],
  { sandbox, ...options }: WrapOptions & { readonly sandbox: CommandSandbox },
): Promise<readonly string[]> {
  if (sandbox.kind === 'none') return command;
  const view = await viewOf(command, { ...options, sandbox });
  return [sandbox.path, ...sandboxArguments(view), ...command];
}

async function viewOf(
  command: readonly string[],
  options: WrapOptions & { readonly sandbox: CommandSandbox & { readonly kind: 'bubblewrap' } },
): Promise<SandboxView> {
  const homes = await existing([homedir(), '/root', '/home']);
  const hidden = await existing(options.sandbox.hidden);
  const directories = await Promise.all(hidden.map(async (path) => (await stat(path)).isDirectory()));
  const program = dirname(await realpath(command[0] ?? '/'));
  const tools = await existing([...searchedDirectories({ ...options }), program, dirname(process.execPath)]);
  const visible = [...new Set(tools.map((directory) => toolDirectory(directory, homes)))];
  const places = [...homes, '/tmp', '/run', '/var/tmp'];
  return {
    ...options,
    network: options.sandbox.network,
    hiddenDirectories: [...homes, ...hidden.filter((_, index) => directories[index])],
    hiddenFiles: hidden.filter(
      (path, index) => !directories[index] && !places.some((home) => isInside(home, path)),
    ),
    visible: visible.filter((path) => places.some((place) => isInside(place, path))),
  };
}

/** Real paths of those that exist, each once. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return [...new Set(real.filter((path): path is string => path !== null))];
}

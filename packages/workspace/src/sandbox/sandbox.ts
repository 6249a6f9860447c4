import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../git/directories.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { type CommandLimits, limitCommand } from './command-limits.ts';
import { listHiddenPlaces, listHomes, listShownPlaces, showSystem, systemDirectories } from './places.ts';
import {
  type BubblewrapOption,
  findExecutable,
  newerOptions,
  type SandboxView,
  sandboxArguments,
  searchedDirectories,
} from './sandbox-arguments.ts';

const execute = promisify(execFile);

/** The walls around commands. */
export type CommandSandbox =
  | {
      readonly kind: 'bubblewrap';
      /** Absolute path of `bwrap`. */
      readonly path: string;
      readonly options: ReadonlySet<BubblewrapOption>;
      /** Arguments that show the system. */
      readonly system: readonly string[];
      readonly shown: readonly string[];
      readonly hidden: readonly string[];
    }
  /** Not by the daemon: `external` where a container around it is the wall, `off` where there is none. */
  | { readonly kind: 'none'; readonly mode: 'external' | 'off' };

/** Options of `chooseSandbox`. */
export interface SandboxOptions {
  /** `required` uses bubblewrap and fails without it; the others never use it. */
  readonly mode: 'required' | 'external' | 'off';
  /** True to let commands run as root where the daemon does. Default false. */
  readonly allowRoot?: boolean | undefined;
  /** Absolute paths that commands may read, beside the system and the tools on PATH. Default none. */
  readonly shown?: readonly string[] | undefined;
  /** Files and directories that commands must not see: the daemon's data, `.env`, configuration. Default none. */
  readonly hidden?: readonly string[] | undefined;
  /** PATH on which `bwrap` is looked for. Default that of this process. */
  readonly path?: string | undefined;
  /**
   * Made for the trial and removed after it, with what a killed process left there; nobody else may use it. Default a
   * new one in the system's directory for temporary files.
   */
  readonly probeDirectory?: string | undefined;
  /** Number of the account; 0 is root. Default that of this process. */
  readonly userId?: number | undefined;
  /** System that bubblewrap is looked for on. Default that of this process. */
  readonly platform?: NodeJS.Platform | undefined;
}

/** Reason why no command can run on this machine under such options. */
export interface SandboxObstacle {
  /**
   * `root`: the account is root, and `allowRoot` is not set. `other-system`: bubblewrap exists for Linux only. `bubblewrap-missing`: it is
   * not installed. `bubblewrap-blocked`: it is installed and does not isolate commands, such as in most containers.
   */
  readonly kind: 'root' | 'other-system' | 'bubblewrap-missing' | 'bubblewrap-blocked';
  /** The problem, without its remedy. */
  readonly problem: string;
  /** The problem and what to do, in one sentence. */
  readonly message: string;
}

/** Finding of what keeps commands in here, and of everything that stands in the way. */
export interface SandboxExamination {
  /** Null where a required sandbox does not work. */
  readonly sandbox: CommandSandbox | null;
  /** Empty where commands may run. */
  readonly obstacles: readonly SandboxObstacle[];
}

/**
 * Decides once, at start, how commands are kept in: by trying, not by guessing.
 *
 * @example
 * const sandbox = await chooseSandbox({ mode: 'required', hidden: ['/srv/agent/.env'] });
 *
 * @throws WorkspaceError with code `sandbox-unusable`, which says all that is to be done, when commands would run as root, or a sandbox is required and does not work
 */
export async function chooseSandbox(options: SandboxOptions): Promise<CommandSandbox> {
  const { sandbox, obstacles } = await examineSandbox(options);
  if (sandbox !== null && obstacles.length === 0) return sandbox;
  const message = obstacles.map((obstacle) => obstacle.message).join(' ');
  throw new WorkspaceError(message, { code: 'sandbox-unusable' });
}

/** Tries how commands would be kept in here, and lists all that stands in the way rather than the first of it. */
export async function examineSandbox(options: SandboxOptions): Promise<SandboxExamination> {
  const { mode, allowRoot = false, userId = process.getuid?.() } = options;
  const rooted = userId === 0 && !allowRoot ? [rootRefused] : [];
  if (mode !== 'required') return { sandbox: { kind: 'none', mode }, obstacles: rooted };
  const probe: Probe = await probeSandbox(options).catch((error: Error) => ({
    works: false,
    kind: 'bubblewrap-blocked',
    reason: `bubblewrap could not be tried (${error.message})`,
  }));
  if (probe.works) return { sandbox: probe.sandbox, obstacles: rooted };
  const { kind, reason } = probe;
  const problem = `tools.run_command.sandbox is required (the default), but ${reason}`;
  return { sandbox: null, obstacles: [...rooted, toObstacle(kind, problem, remedies[kind])] };
}

const toObstacle = (kind: SandboxObstacle['kind'], problem: string, remedy: string): SandboxObstacle => ({
  kind,
  problem,
  message: `${problem}: ${remedy}.`,
});

const rootRefused = toObstacle(
  'root',
  'Commands would run as root, because the daemon does',
  'start it from its own account, or set tools.run_command.allow_root: true if root is intended',
);

const otherwise =
  "set tools.run_command.sandbox: external if the daemon runs in a container that isolates its commands, or sandbox: off to run the programs of repositories with all of the daemon's rights";

const remedies: Readonly<Record<Exclude<SandboxObstacle['kind'], 'root'>, string>> = {
  'other-system': `run the daemon on Linux or in a Linux container; ${otherwise}`,
  'bubblewrap-missing': `install bubblewrap, or ${otherwise}`,
  'bubblewrap-blocked': `allow user namespaces, or ${otherwise}`,
};

type Probe =
  | { readonly works: true; readonly sandbox: CommandSandbox & { readonly kind: 'bubblewrap' } }
  | { readonly works: false; readonly kind: keyof typeof remedies; readonly reason: string };

/** Runs bubblewrap with the very arguments that commands get, and sees whether its walls stand. */
async function probeSandbox(options: SandboxOptions): Promise<Probe> {
  const { shown = [], hidden = [], path = process.env.PATH ?? '' } = options;
  const { platform = process.platform } = options;
  if (platform !== 'linux')
    return {
      works: false,
      kind: 'other-system',
      reason: `bubblewrap runs on Linux only, and this is ${platform}`,
    };
  const bwrap = await findExecutable('bwrap', { path, worktree: '/nonexistent' });
  if (bwrap === null)
    return { works: false, kind: 'bubblewrap-missing', reason: 'bubblewrap (bwrap) is not installed' };
  const system = await showSystem();
  const known = await listKnownOptions(bwrap);
  const sandbox = {
    kind: 'bubblewrap',
    path: bwrap,
    options: known,
    system,
    shown,
    hidden,
  } as const;
  const reason = await tryOut(sandbox, options);
  if (reason === null) return { works: true, sandbox };
  // Where bubblewrap is setuid, or root may not make user namespaces, it works without them.
  const withoutNamespaces = new Set([...known].filter((option) => option !== '--disable-userns'));
  const lesser = { ...sandbox, options: withoutNamespaces };
  if (known.has('--disable-userns') && (await tryOut(lesser, options)) === null) {
    return { works: true, sandbox: lesser };
  }
  return { works: false, kind: 'bubblewrap-blocked', reason };
}

async function listKnownOptions(bwrap: string): Promise<ReadonlySet<BubblewrapOption>> {
  const help = await execute(bwrap, ['--help'], { timeout: 10_000, env: {} }).catch(() => ({ stdout: '' }));
  return new Set(newerOptions.filter((option) => help.stdout.includes(option)));
}

/** @returns why it does not work; null when it does */
async function tryOut(
  sandbox: CommandSandbox & { readonly kind: 'bubblewrap' },
  { probeDirectory }: SandboxOptions,
): Promise<string | null> {
  const base = await realpath(await makeProbeDirectory(probeDirectory));
  try {
    await writeFile(join(base, 'secret'), 'seen');
    const [worktree, home] = [await mkdtemp(join(base, 'work-')), await mkdtemp(join(base, 'home-'))];
    const nothing = { shown: [], hiddenDirectories: [], hiddenFiles: [], gitDirectories: [], sockets: null };
    const args = sandboxArguments({ ...sandbox, ...nothing, worktree, home, directory: worktree });
    const { stdout } = await execute(sandbox.path, [...args, '/bin/sh', '-c', probeScript, 'sh', base], {
      timeout: 10_000,
      env: {},
      cwd: worktree,
    });
    const said = stdout.trim();
    return said === 'works' ? null : `bubblewrap runs here but does not isolate commands (${said})`;
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
    return `bubblewrap does not work here (${said.split('\n')[0]})`;
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/** Tries what a command must be able to do, and what it must not; a setting of the kernel would be given the value that it has. */
const probeScript = `
canWrite() { (echo "$2" > "$1") 2>/dev/null; }
echo in > file || { echo 'the worktree cannot be written to'; exit; }
if test -e "$1/secret"; then echo 'a hidden file can be seen'; exit; fi
if canWrite /etc/agent-probe x || canWrite /agent-probe x; then echo 'the system can be written to'; exit; fi
for file in sys/kernel/randomize_va_space sys/vm/swappiness self/oom_score_adj; do
  if canWrite "/proc/$file" "$(cat "/proc/$file")"; then echo 'settings of the kernel can be written to'; exit; fi
done
echo works`;

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
  readonly limits: CommandLimits;
  /** Directory of sockets that lead out of the sandbox; null for none. */
  readonly sockets: string | null;
  /** Program and arguments that start the command inside the sandbox; empty for none. */
  readonly bridge: readonly string[];
}

/** The command as it is started: under limits, inside the sandbox where there is one. */
export async function wrapCommand(
  command: readonly string[],
  { sandbox, limits, bridge, ...place }: WrapOptions & { readonly sandbox: CommandSandbox },
): Promise<readonly string[]> {
  if (sandbox.kind === 'none') return limitCommand(command, { limits, ownAccount: false });
  const view = await viewOf(command[0] ?? '/', { ...place, sandbox });
  const limited = limitCommand(command, { limits, ownAccount: true });
  return [sandbox.path, ...sandboxArguments(view), ...bridge, ...limited];
}

async function viewOf(
  program: string,
  options: Omit<WrapOptions, 'limits' | 'bridge'> & {
    readonly sandbox: CommandSandbox & { readonly kind: 'bubblewrap' };
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
  const { system, options: known } = sandbox;
  return { ...place, ...hidden, system, shown, options: known };
}

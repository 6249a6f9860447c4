import { WorkspaceError } from '../workspace-error.ts';
import { probeSandbox, type SandboxProbe } from './probe-sandbox.ts';
import type { BubblewrapOption } from './sandbox-arguments.ts';

/** Bubblewrap, as it isolates commands. */
export interface Bubblewrap {
  readonly kind: 'bubblewrap';
  /** Absolute path of `bwrap`. */
  readonly path: string;
  readonly options: ReadonlySet<BubblewrapOption>;
  /** Filter of system calls, as bubblewrap loads it. */
  readonly filter: Uint8Array;
  /** True if commands can create user namespaces. */
  readonly nestedNamespaces: boolean;
  /** Arguments that show the system. */
  readonly system: readonly string[];
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** Isolation of commands. */
export type CommandSandbox =
  | Bubblewrap
  /** `external`: a container around the daemon isolates them. `off`: nothing does. */
  | { readonly kind: 'none'; readonly mode: 'external' | 'off' };

/** Options of `chooseSandbox`. */
export interface SandboxOptions {
  /** `required` uses bubblewrap and fails without it; the others never use it. */
  readonly mode: 'required' | 'external' | 'off';
  /** True to let commands run as root where the daemon does. Default false. */
  readonly allowRoot?: boolean | undefined;
  /** True to let commands create user namespaces, as the sandbox of Chromium does. Default false. */
  readonly nestedNamespaces?: boolean | undefined;
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
  /** Processor for which the filter of system calls is made. Default that of this process. */
  readonly architecture?: NodeJS.Architecture | undefined;
}

/** Reason why no command can run on this machine under such options. */
export interface SandboxObstacle {
  /**
   * `root`: the account is root, and `allowRoot` is not set. `other-system`: bubblewrap exists for Linux only. `bubblewrap-missing`: it is
   * not installed. `bubblewrap-blocked`: it is installed and does not isolate commands, such as in most containers.
   * `filter-refused`: system calls cannot be filtered on this machine.
   */
  readonly kind: 'root' | 'other-system' | 'bubblewrap-missing' | 'bubblewrap-blocked' | 'filter-refused';
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
  const probe: SandboxProbe = await probeSandbox(options).catch((error: Error) => ({
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
  'filter-refused': `use a kernel with seccomp filters on x64 or arm64, or ${otherwise}`,
};

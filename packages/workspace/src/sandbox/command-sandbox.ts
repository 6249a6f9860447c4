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

import { mkdir, mkdtemp, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { homePrefix, removeTree } from '../git/directories.ts';
import { type CommandLimits, defaultLimits } from '../sandbox/command-limits.ts';
import { type CommandSandbox, wrapCommand } from '../sandbox/sandbox.ts';
import { findExecutable, searchedDirectories } from '../sandbox/sandbox-arguments.ts';
import { type CommandCall, formatResult, runCommand, toFailure } from './command-process.ts';
import { checkCommand, defaultCommands } from './command-rules.ts';
import { defineTool, type RunTool, type ToolCallOptions, ToolError } from './define-tool.ts';
import { createMark, markVariable } from './end-processes.ts';
import { guardPath } from './guarded-path.ts';

export interface CommandToolOptions {
  readonly workspacePath: string;
  /** Kept from being written to where there is a sandbox. */
  readonly gitDirectories?: readonly string[] | undefined;
  readonly sandbox: CommandSandbox;
  /** Names that may be run. Null or left out: a list of build and test tools. */
  readonly allowedCommands?: readonly string[] | null | undefined;
  /** Time for one command where the model names none, in milliseconds. Default two minutes. */
  readonly timeoutMs?: number | undefined;
  /** The most that the model may ask for, in milliseconds. Default ten minutes. */
  readonly maxTimeoutMs?: number | undefined;
  /** Limits of one command with all that it starts. Default 4 GB, 1,024 processes and threads, files of 1 GB, 30 min of processor time. */
  readonly limits?: CommandLimits | undefined;
  /** Between two looks at what they take together. Default a second. */
  readonly pause?: CommandCall['pause'];
  /** Most output that the model gets to see, in bytes. Default 32 KB. */
  readonly maxOutputBytes?: number | undefined;
  /** PATH on which programs are looked for. Default that of this process. */
  readonly path?: string | undefined;
  /** Directory in which the commands' private home is made. Default the system's one for temporary files. */
  readonly homesDirectory?: string | undefined;
  /** Owner of these commands: `endCommandsOf` ends those that a killed process left. Default nobody. */
  readonly owner?: string | undefined;
  /** Further variables for every command. Nothing secret. Default none. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export interface CommandTool {
  readonly tool: RunTool;
  /** Removes the commands' private home. Call it when the run has ended. */
  readonly close: () => Promise<void>;
}

/**
 * The tool that runs build and test commands in the worktree.
 *
 * @example
 * const sandbox = await chooseSandbox({ mode: 'required' });
 * const { tool, close } = createCommandTool({ workspacePath: '/srv/worktree', sandbox });
 * await tool.execute({ command: 'npm', args: ['test'] }, { toolCallId: 'call-1' });
 * await close();
 */
export function createCommandTool(options: CommandToolOptions): CommandTool {
  const { timeoutMs = 120_000, maxTimeoutMs = 600_000, maxOutputBytes = 32 * 1024 } = options;
  const { limits = defaultLimits } = options;
  const allowed = options.allowedCommands ?? defaultCommands;
  const limit = Math.max(maxTimeoutMs, timeoutMs);
  let home: Promise<string> | null = null;

  async function run(
    input: z.output<typeof commandInput>,
    { signal, onFailure }: Pick<ToolCallOptions, 'signal' | 'onFailure'>,
  ): Promise<string> {
    checkCommand(input, allowed);
    home ??= makeHome(options.homesDirectory ?? tmpdir()).catch((error: unknown) => {
      // The next call tries again: a full disk passes.
      home = null;
      throw error;
    });
    const worktree = await realpath(options.workspacePath);
    const path = searchedDirectories({ path: options.path ?? process.env.PATH ?? '', worktree }).join(':');
    const program = await findExecutable(input.command, { path, worktree });
    if (program === null) throw new ToolError(`"${input.command}" is allowed, but not installed here.`);
    const directory = await findDirectory(worktree, input.working_directory);
    const wanted = Math.min(
      input.timeout_seconds === undefined ? timeoutMs : input.timeout_seconds * 1000,
      limit,
    );
    const place = {
      worktree,
      home: await home,
      directory,
      path,
      gitDirectories: options.gitDirectories ?? [],
      limits,
    };
    const mark = createMark(options.owner ?? 'nobody');
    const result = await runCommand({
      command: await wrapCommand([program, ...input.args], { ...place, sandbox: options.sandbox }),
      directory,
      environment: commandEnvironment({ path, home: place.home, extra: options.environment ?? {}, mark }),
      timeoutMs: wanted,
      maxOutputBytes,
      mark,
      limits,
      pause: options.pause,
      signal,
    });
    const failure = toFailure(result);
    if (failure !== null) onFailure?.(failure);
    return formatResult(result, { timeoutMs: wanted, limits });
  }

  return {
    tool: defineTool({
      description: describe(options.sandbox, { allowed, limits }),
      input: commandInput,
      readOnly: false,
      run,
    }),
    close: async () => {
      if (home !== null) await removeTree(await home);
      home = null;
    },
  };
}

const commandInput = z.object({
  command: z.string().min(1).max(200).describe('Name of the program, e.g. npm'),
  args: z.array(z.string().max(100_000)).max(1000).default([]).describe('Its arguments, each by itself'),
  timeout_seconds: z.int().min(1).max(86_400).optional(),
  working_directory: z.string().max(4096).default('.').describe("Relative to the repository's root"),
});

function describe(
  sandbox: CommandSandbox,
  { allowed, limits }: { readonly allowed: readonly string[]; readonly limits: CommandLimits },
): string {
  const network = sandbox.kind === 'bubblewrap' && !sandbox.network ? ' There is no network.' : '';
  return `Runs one program in the repository, without a shell: no pipes, wildcards or variables. What it starts ends with it. It gets ${limits.memoryMb} MB of memory and writes files of at most ${limits.fileSizeMb} MB.${network} Allowed: ${allowed.join(', ')}.`;
}

async function makeHome(parent: string): Promise<string> {
  const path = await realpath(await mkdtemp(join(parent, homePrefix)));
  await mkdir(join(path, 'tmp'));
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
  readonly extra: Readonly<Record<string, string>>;
  /** Marks every process of the call, so that what outlives it can be found. */
  readonly mark: string;
}

/** The whole environment of a command: nothing of the daemon's own but PATH, and no secret. */
function commandEnvironment({ path, home, extra, mark }: CommandEnvironment): Record<string, string> {
  return {
    ...extra,
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

import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectList,
  expectNullable,
  expectNumber,
  expectOptions,
} from '@agent/text/options';
import { z } from 'zod';
import type { CommandLimits } from '../sandbox/command-limits.ts';
import { ToolError } from '../workspace-error.ts';
import { type CommandPlace, type CommandPlaceOptions, createCommandPlace } from './command-place.ts';
import { formatResult, toFailure } from './command-process.ts';
import { checkCommand, defaultCommands } from './command-rules.ts';
import { defineTool, type RunTool } from './define-tool.ts';

/** The rules of calls of commands. */
export interface CommandRules {
  /** Names that may be run. Null or left out: a list of build and test tools. */
  readonly allowedCommands?: readonly string[] | null | undefined;
  /** Time for one command where the model names none, in milliseconds. Default two minutes. */
  readonly timeoutMs?: number | undefined;
  /** The most that the model may ask for, in milliseconds. Default ten minutes. */
  readonly maxTimeoutMs?: number | undefined;
  /** Output that a result holds, in bytes: its beginning and end. Default 256 KB. */
  readonly maxOutputBytes?: number | undefined;
}

export interface CommandToolOptions extends CommandPlaceOptions, CommandRules {}

const amount = expectNumber(0);

const expectations: ExpectationsOf<CommandToolOptions> = {
  workspacePath: expected.text,
  gitDirectories: expectList(expected.text),
  sandbox: { ...expected.object, text: 'a sandbox, such as chooseSandbox returns' },
  limits: expectOptions(
    {
      ...{ cpuSeconds: amount, memoryMb: amount, processes: amount, fileSizeMb: amount, diskMb: amount },
    } satisfies ExpectationsOf<CommandLimits>,
    ['cpuSeconds', 'memoryMb', 'processes', 'fileSizeMb', 'diskMb'],
  ),
  pause: expected.function,
  path: { isMet: (value) => typeof value === 'string', text: 'a text' },
  homesDirectory: expected.text,
  owner: expected.text,
  environment: expected.object,
  hideSecrets: expected.function,
  network: expected.object,
  allowedCommands: expectNullable(expectList(expected.text)),
  timeoutMs: amount,
  maxTimeoutMs: amount,
  maxOutputBytes: amount,
};

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
  checkOptions('CommandToolOptions', options, expectations, ['workspacePath', 'sandbox']);
  const place = createCommandPlace(options);
  return { tool: createRunCommand(place, options), close: place.close };
}

/** Creates the same tool in a place that other tools share. */
export function createRunCommand(place: CommandPlace, rules: CommandRules): RunTool {
  const { limits } = place;
  const allowed = rules.allowedCommands ?? defaultCommands;
  return defineTool({
    description: describe(place, { allowed, limits }),
    input: commandInput,
    readOnly: false,
    run: async (input, { signal, onFailure }) => {
      const command = await findCommand(place, { input, rules });
      const { timeoutMs, maxOutputBytes } = boundsOf(rules, input.timeout_seconds);
      const result = await place.run({
        command,
        workingDirectory: input.working_directory,
        ...{ timeoutMs, maxOutputBytes, signal },
      });
      const failure = toFailure(result);
      if (failure !== null) onFailure?.(failure);
      return formatResult(result, { timeoutMs, limits });
    },
  });
}

/**
 * Finds the program of a call that the rules allow.
 *
 * @returns its absolute path and its arguments
 * @throws ToolError when it is not allowed or not installed
 */
export async function findCommand(
  place: Pick<CommandPlace, 'findProgram'>,
  {
    input,
    rules,
  }: {
    readonly input: { readonly command: string; readonly args: readonly string[] };
    readonly rules: CommandRules;
  },
): Promise<readonly string[]> {
  checkCommand(input, rules.allowedCommands ?? defaultCommands);
  const program = await place.findProgram(input.command);
  if (program !== null) return [program, ...input.args];
  throw new ToolError(`"${input.command}" is allowed, but not installed here.`);
}

/** Decides how long a call may take, and how much of its output is shown. */
export function boundsOf(
  { timeoutMs = 120_000, maxTimeoutMs = 600_000, maxOutputBytes = 256 * 1024 }: CommandRules,
  askedSeconds: number | undefined,
): { readonly timeoutMs: number; readonly maxOutputBytes: number } {
  const wanted = askedSeconds === undefined ? timeoutMs : askedSeconds * 1000;
  return { timeoutMs: Math.min(wanted, Math.max(maxTimeoutMs, timeoutMs)), maxOutputBytes };
}

const commandInput = z.object({
  command: z.string().min(1).max(200).describe('Name of the program, e.g. npm'),
  args: z.array(z.string().max(100_000)).max(1000).default([]).describe('Its arguments, each by itself'),
  timeout_seconds: z.int().min(1).max(86_400).optional(),
  working_directory: z.string().max(4096).default('.').describe("Relative to the repository's root"),
});

function describe(
  { networkNote }: Pick<CommandPlace, 'networkNote'>,
  { allowed, limits }: { readonly allowed: readonly string[]; readonly limits: CommandLimits },
): string {
  return `Runs one program in the repository, without a shell: no pipes, wildcards or variables. What it starts ends with it. It gets ${limits.memoryMb} MB of memory and writes files of at most ${limits.fileSizeMb} MB.${networkNote} Allowed: ${allowed.join(', ')}.`;
}

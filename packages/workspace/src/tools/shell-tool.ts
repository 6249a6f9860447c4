import { z } from 'zod';
import type { CommandPlace } from './command-place.ts';
import { formatResult, toFailure } from './command-process.ts';
import { defineTool, type RunTool } from './define-tool.ts';
import { boundsOf, type CommandRules } from './run-command-tool.ts';

const shellInput = z.object({
  script: z.string().min(1).max(100_000).describe('Lines of shell'),
  timeout_seconds: z.int().min(1).max(86_400).optional(),
  working_directory: z.string().max(4096).default('.').describe("Relative to the repository's root"),
});

/** Tells whether something keeps a shell in: only there it may be offered. */
export function isKeptIn({ sandbox }: Pick<CommandPlace, 'sandbox'>): boolean {
  return sandbox.kind !== 'none' || sandbox.mode === 'external';
}

/**
 * Creates the tool that runs lines of shell: pipes, loops, scripts of the repository. Any program of the machine and of the
 * repository may run in it, so it belongs where a sandbox keeps all of them in.
 */
export function createShellTool(place: CommandPlace, rules: CommandRules): RunTool {
  const { limits } = place;
  return defineTool({
    description: `Runs lines of shell in the repository: pipes, variables, scripts such as ./gradlew. Bash where there is one. What it starts ends with it. It gets ${limits.memoryMb} MB of memory.${place.networkNote} Commits and pushes are made for you.`,
    input: shellInput,
    readOnly: false,
    run: async (input, { signal, onFailure }) => {
      const shell = (await place.findProgram('bash')) ?? '/bin/sh';
      const { timeoutMs, maxOutputBytes } = boundsOf(rules, input.timeout_seconds);
      const result = await place.run({
        command: [shell, '-c', input.script],
        workingDirectory: input.working_directory,
        ...{ timeoutMs, maxOutputBytes, signal },
      });
      const failure = toFailure(result);
      if (failure !== null) onFailure?.(failure);
      return formatResult(result, { timeoutMs, limits });
    },
  });
}

import { ToolError } from './define-tool.ts';
import { checkGit } from './git-rules.ts';

/**
 * What the model may run where a configuration says nothing: build and test tools, and a few that look. No `find`, `sort` or
 * `uniq`: they write and start programs, and the file tools do their work.
 */
export const defaultCommands: readonly string[] = [
  ...['node', 'npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'deno', 'tsc'],
  ...['python', 'python3', 'pip', 'pip3', 'pytest', 'uv', 'poetry', 'ruff', 'mypy', 'tox'],
  ...['go', 'gofmt', 'cargo', 'rustc', 'rustfmt', 'make', 'cmake', 'ctest', 'ninja', 'gcc', 'g++', 'clang'],
  ...[
    'java',
    'javac',
    'mvn',
    'gradle',
    'dotnet',
    'ruby',
    'bundle',
    'rake',
    'rspec',
    'php',
    'composer',
    'phpunit',
  ],
  ...['mix', 'elixir', 'swift', 'git', 'ls', 'cat', 'head', 'tail', 'wc', 'grep', 'diff'],
];

/**
 * Says whether a command may be run. The list keeps a model to the tools of the trade; it is no wall: whoever may
 * run `node` may run anything that the sandbox allows.
 *
 * @throws ToolError that names what is allowed
 */
export function checkCommand(
  call: { readonly command: string; readonly args: readonly string[] },
  allowed: readonly string[],
): void {
  if (!allowed.includes(call.command)) {
    throw new ToolError(
      `"${call.command}" cannot be run: give the name of one of these commands, its arguments in args (there is no shell): ${[...allowed].sort().join(', ')}.`,
    );
  }
  if ([call.command, ...call.args].some((part) => part.includes('\0'))) {
    throw new ToolError('An argument cannot hold a NUL character.');
  }
  if (call.command === 'git') checkGit(call.args);
}

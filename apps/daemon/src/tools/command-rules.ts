import { ToolError } from './define-tool.ts';

/** What the model may run where a configuration says nothing: build and test tools, and a few that look. */
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
  ...[
    'mix',
    'elixir',
    'swift',
    'git',
    'ls',
    'cat',
    'head',
    'tail',
    'wc',
    'grep',
    'find',
    'diff',
    'sort',
    'uniq',
  ],
];

/** Subcommands of git that only look. Commits, branches and pushes are the daemon's own work. */
const gitThatLooks = new Set([
  ...[
    'status',
    'diff',
    'log',
    'show',
    'blame',
    'ls-files',
    'ls-tree',
    'grep',
    'rev-parse',
    'rev-list',
    'describe',
  ],
  ...['shortlog', 'cat-file', 'merge-base', 'name-rev', 'for-each-ref', 'version'],
]);

/** Options that make a looking subcommand write a file or start a program. */
const gitThatActs = /^(--output(=|$)|--ext-diff$|--textconv$|--open-files-in-pager|-O)/;

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

function checkGit(args: readonly string[]): void {
  const [subcommand = '', ...rest] = args;
  if (!gitThatLooks.has(subcommand)) {
    throw new ToolError(
      `git may only look: ${[...gitThatLooks].sort().join(', ')}, named first. Committing and pushing is done for you when you finish.`,
    );
  }
  const acts = rest.find((argument) => gitThatActs.test(argument));
  if (acts !== undefined)
    throw new ToolError(`git ${subcommand} ${acts} writes or starts something; leave it out.`);
}

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
    const names = [...allowed].sort().join(', ');
    throw new ToolError(
      `"${call.command}" cannot be run. ${nameWay(call, allowed)} Commands that can be run: ${names}.`,
      { code: 'refused' },
    );
  }
  if ([call.command, ...call.args].some((part) => part.includes('\0'))) {
    throw new ToolError('An argument cannot hold a NUL character.');
  }
  if (call.command === 'git') checkGit(call.args);
}

const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'fish',
  'cmd',
  'powershell',
]);
/** What only a shell understands, but for what separates two commands. */
const shellSigns = /[|<>$`*?(){}'"\\\n&;]/;

/** What to call in place of a shell, a script, or a command with its arguments in one text. */
function nameWay(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  allowed: readonly string[],
): string {
  const way = 'There is no shell: name one program in command and its arguments, each by itself, in args.';
  const isShell = shells.has(command.split('/').at(-1) ?? '');
  const option = isShell ? args.findIndex((argument) => /^-[a-z]*c$/.test(argument)) : -1;
  const line = option !== -1 ? args[option + 1] : command.includes(' ') ? command : undefined;
  if (line !== undefined) return `${way} ${nameCalls(line, allowed)}`;
  const script = isShell ? args.find((argument) => !argument.startsWith('-')) : command;
  if (script === undefined || !(isShell || script.includes('/'))) return way;
  return `${way} A script is not run as such: read ${JSON.stringify(script)} with read_file and run the programs that it names, one in each call.`;
}

function nameCalls(line: string, allowed: readonly string[]): string {
  const isPlain = !shellSigns.test(line.replaceAll('&&', '').replaceAll(';', ''));
  const calls = line.split(/&&|;/).map((part) => part.trim().split(/\s+/).filter(Boolean));
  const isKnown = calls.every(([program = '']) => allowed.includes(program));
  if (!isPlain || !isKnown || calls.length > 5) return 'Make one call for each program.';
  const inputs = calls.map(([command, ...args]) => JSON.stringify({ command, args }));
  return `Call it with ${inputs.join(', then with ')}.`;
}

import { ToolError } from '../workspace-error.ts';

/**
 * Commands that the model may run where a configuration says nothing: build and test tools, and a few that look. No `find`, `sort` or
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

/** Signs that only a shell understands, but for those that separate two commands. */
const shellSigns = /[|<>$`*?(){}'"\\\n&;]/;

/** Names the call to make in place of a shell, a script, or a command with its arguments in one text. */
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

/** Options that a subcommand of git takes here, beside paths and revisions. */
interface AllowedOptions {
  /** Without the dashes and the value, one word after the other. An abbreviation is no name that stands here. */
  readonly long: string;
  /** A whole argument that begins with one dash. */
  readonly short: RegExp;
}

const diffLong =
  'patch no-patch stat numstat shortstat dirstat summary name-only name-status raw unified minimal patience histogram diff-algorithm color no-color word-diff color-words find-renames find-copies no-renames diff-filter pickaxe-all pickaxe-regex relative text ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines function-context exit-code quiet src-prefix dst-prefix no-prefix full-index abbrev binary check compact-summary';

const logLong =
  'oneline graph decorate no-decorate format pretty abbrev-commit max-count skip since after until before author committer grep invert-grep all-match regexp-ignore-case fixed-strings extended-regexp merges no-merges first-parent all branches tags remotes reverse follow date date-order topo-order author-date-order left-right cherry-pick boundary ancestry-path parents children root no-walk full-history simplify-merges';

const diffShort = String.raw`[puzswbaWR]+|U\d+|[MC]\d*%?|B|D|[SG].*`;

const logShort = String.raw`${diffShort}|\d+|n ?\d*|i|m|c|g|L.*`;

const short = (alternatives: string) => new RegExp(`^-(${alternatives})$`, 's');

const nothing = /^$/;

const ofDiff: AllowedOptions = {
  long: `${diffLong} cached staged merge-base diff-merges`,
  short: short(diffShort),
};

const ofLog: AllowedOptions = { long: `${diffLong} ${logLong}`, short: short(logShort) };

/**
 * Subcommands that only look, each with the options that neither write, nor start a program, nor read outside the repository.
 * Commits, branches and pushes are the daemon's own work.
 */
const readOnlyGit: Readonly<Record<string, AllowedOptions>> = {
  blame: {
    long: 'porcelain line-porcelain show-email show-name show-number date reverse first-parent root incremental color-lines',
    short: short(String.raw`[bcflenstpw]+|L.*|[MC]\d*`),
  },
  'cat-file': { long: '', short: /^-[tsep]$/ },
  describe: {
    long: 'tags all always long exact-match abbrev match exclude candidates contains first-parent dirty',
    short: nothing,
  },
  diff: ofDiff,
  'for-each-ref': {
    long: 'format sort count points-at merged no-merged contains no-contains ignore-case',
    short: nothing,
  },
  grep: {
    long: 'ignore-case word-regexp line-number column extended-regexp basic-regexp fixed-strings perl-regexp files-with-matches files-without-match name-only count invert-match show-function function-context context after-context before-context max-depth max-count only-matching heading break all-match and or not cached untracked quiet text full-name no-color color',
    short: short(String.raw`[aiwvhHEGPFnlLcopWqrI]+|[ABCm]\d*|\d+|e.*`),
  },
  log: ofLog,
  'ls-files': {
    long: 'cached deleted modified others ignored stage unmerged killed directory exclude-standard full-name error-unmatch abbrev deduplicate eol',
    short: short('[cdmoisuktvz]+'),
  },
  'ls-tree': {
    long: 'name-only name-status long full-name full-tree abbrev format object-only',
    short: short('[drtlz]+'),
  },
  'merge-base': { long: 'all octopus is-ancestor independent fork-point', short: short('a') },
  'name-rev': { long: 'tags refs exclude all always name-only', short: nothing },
  'rev-list': {
    long: `${logLong} count objects left-only right-only not`,
    short: short(String.raw`\d+|n\d*`),
  },
  'rev-parse': {
    long: 'verify quiet short abbrev-ref symbolic symbolic-full-name show-toplevel show-prefix show-cdup is-inside-work-tree is-bare-repository is-shallow-repository all branches tags remotes',
    short: short('q'),
  },
  shortlog: { long: 'summary numbered email group format since until no-merges', short: short('[sne]+') },
  show: ofLog,
  status: {
    long: 'short branch porcelain long untracked-files ignored show-stash ahead-behind no-ahead-behind renames no-renames find-renames column no-column',
    short: short('[sbvz]+|u(no|normal|all)?'),
  },
  version: { long: 'build-options', short: nothing },
};

/**
 * Makes sure that a call of git only looks, at this repository. What is not known to do that is refused, also in a form that git would
 * complete or take apart.
 *
 * @throws ToolError that says which part is refused
 */
export function checkGit(args: readonly string[]): void {
  const [subcommand = '', ...rest] = args;
  const allowed = Object.hasOwn(readOnlyGit, subcommand) ? readOnlyGit[subcommand] : undefined;
  if (allowed === undefined) {
    throw new ToolError(
      `git may only read: ${Object.keys(readOnlyGit).sort().join(', ')}, named first. Committing and pushing is done for you when you finish.`,
      { code: 'refused' },
    );
  }
  const end = rest.indexOf('--');
  const options = (end === -1 ? rest : rest.slice(0, end)).filter((argument) => argument.startsWith('-'));
  // A format may stand apart from its option.
  const refused =
    options.find((option) => !isAllowed(option, allowed)) ?? rest.find((argument) => runsGpg.test(argument));
  if (refused !== undefined) {
    throw new ToolError(
      `git ${subcommand} ${refused} is not among what git may be asked here; leave it out.`,
      { code: 'refused' },
    );
  }
  const outside = subcommand === 'diff' ? rest.find(leadsOut) : undefined;
  if (outside !== undefined) {
    throw new ToolError(
      `git ${subcommand} ${outside} may lead out of the repository. Give paths relative to the working directory, without "..".`,
      { code: 'refused' },
    );
  }
}

function isAllowed(option: string, { long, short: letters }: AllowedOptions): boolean {
  if (!option.startsWith('--')) return option === '-' || letters.test(option);
  return long.split(' ').includes(option.slice(2).split('=')[0] ?? '');
}

/** The check of a signature, in a format. */
const runsGpg = /%G|%\(signature/;

/** Two paths of which one lies elsewhere are compared without a repository. Absolute or climbing ones count; `main..topic` is none, and neither is `:/text`. */
function leadsOut(argument: string): boolean {
  return !argument.startsWith('-') && (argument.startsWith('/') || /(^|[/:])\.\.(\/|$)/.test(argument));
}

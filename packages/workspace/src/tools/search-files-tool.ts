import { z } from 'zod';
import { runGit } from '../git/run-git.ts';
import { guardPath } from '../machine/guarded-path.ts';
import { ToolError, WorkspaceError } from '../workspace-error.ts';
import { createCappedOutput, type HideSecrets } from './capped-output.ts';
import { defineTool, type RunTool } from './define-tool.ts';

export interface SearchOptions {
  /** Default `git`, from PATH. */
  readonly gitPath?: string | undefined;
  /** Longest search, in milliseconds. Default 20 seconds. */
  readonly searchTimeoutMs?: number | undefined;
  /** Most bytes of matches shown. Default 32 KB. */
  readonly maxSearchBytes?: number | undefined;
  /** Hides secrets in what is shown, before any of it is left out. Default: hides none. */
  readonly hideSecrets?: HideSecrets | undefined;
}

const searchInput = z.object({
  pattern: z.string().min(1).max(1000).describe('A regular expression, or plain text when literal is set'),
  literal: z.boolean().default(false),
  ignore_case: z.boolean().default(false),
  path: z.string().min(1).max(4096).default('.').describe('A directory or file to search in'),
  glob: z.string().min(1).max(300).optional().describe('Only paths that match, e.g. *.ts or src/**/*.py'),
});

/**
 * Searches with `git grep --no-index`: it knows .gitignore, leaves out binary files and links, and its matcher
 * does not go wild on hostile patterns. It is given no repository, so no configuration there is read.
 */
export function createSearchFilesTool(root: string, options: SearchOptions = {}): RunTool {
  return defineTool({
    description:
      'Searches the text files line by line (files that .gitignore names are left out). Answers path:line:text.',
    input: searchInput,
    readOnly: true,
    run: async (input, { signal }) => {
      if (/[\n\r\0]/.test(input.pattern))
        throw new ToolError('The pattern must be one line: lines are searched singly.');
      const guarded = await guardPath(root, input.path);
      if (!guarded.exists) throw new ToolError(`"${guarded.shown}" does not exist.`);
      const pattern = input.literal ? input.pattern : toExtendedRegex(input.pattern);
      const base = guarded.shown === '.' ? '' : `${guarded.shown}/`;
      const pathspec =
        input.glob === undefined
          ? `:(literal)${guarded.shown}`
          : `:(glob)${escapeGlob(base)}${toGlob(input.glob)}`;
      const args = [
        ...[
          '-c',
          'core.quotePath=false',
          'grep',
          '--no-index',
          '--exclude-standard',
          '--no-color',
          '--line-number',
          '-I',
          '--max-depth',
          '-1',
        ],
        input.literal ? '--fixed-strings' : '--extended-regexp',
        ...(input.ignore_case ? ['--ignore-case'] : []),
        ...['-e', pattern, '--', pathspec],
      ];
      return search({ root, args, signal, ...options });
    },
  });
}

/** A glob without a slash is meant for names at any depth. */
function toGlob(glob: string): string {
  const clean = glob.replace(/^(\.?\/)+/, '');
  return clean.includes('/') ? clean : `**/${clean}`;
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]\\]/g, '\\$&');
}

interface Search extends SearchOptions {
  readonly root: string;
  readonly args: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

async function search({ root, args, signal, ...options }: Search): Promise<string> {
  const { gitPath = 'git', searchTimeoutMs: timeoutMs = 20_000, maxSearchBytes = 32_768 } = options;
  const { hideSecrets = (text: string) => text } = options;
  const found = createCappedOutput({ maxBytes: maxSearchBytes, hideSecrets });
  const { PATH } = process.env;
  const environment = {
    ...(PATH === undefined ? {} : { PATH }),
    HOME: '/dev/null',
    LC_ALL: 'C.UTF-8',
    GIT_DIR: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const call = { gitPath, args, environment, directory: root, onOutput: found.add, timeoutMs, signal };
  const { exitCode, stderr } = await runGit({ ...call, remote: false }).catch(tellModel);
  if (exitCode === 0) return found.text();
  if (exitCode === 1) return 'Nothing found.';
  const errors = createCappedOutput({ maxBytes: 2_000, hideSecrets });
  errors.add(Buffer.from(stderr));
  throw new ToolError(`The search failed: ${errors.text().trim()}`);
}

/** @throws ToolError for a git that was not started or took too long; what it was given for all else */
function tellModel(cause: unknown): never {
  if (!(cause instanceof WorkspaceError)) throw cause;
  const message =
    cause.code === 'git-missing'
      ? 'git, which searches, could not be started.'
      : 'The search took too long. Search a smaller directory or with a simpler pattern.';
  throw new ToolError(message, { cause });
}

const classes: Readonly<Record<string, string>> = { d: '0-9', w: '[:alnum:]_', s: '[:space:]' };

/** Product of all repetition counts that a pattern may ask for: the matcher unrolls them in memory. */
const maxRepetitions = 2000;

/**
 * Writes a regular expression of the usual kind as POSIX extended, which git searches with. Its matcher keeps no
 * stack of choices to come back to, so that no pattern takes for ever; what it cannot say is refused.
 *
 * @throws ToolError for look-around, back-references, flags and huge repetitions
 * @see https://pubs.opengroup.org/onlinepubs/9699919799/basedefs/V1_chap09.html
 */
export function toExtendedRegex(pattern: string): string {
  let result = '';
  let repetitions = 1;
  for (let index = 0; index < pattern.length; ) {
    const rest = pattern.slice(index);
    const [token, written] = translate(rest);
    repetitions *= Math.max(
      1,
      ...[...token.matchAll(/^\{(\d*)(?:,(\d*))?\}/g)].flatMap((m) => [Number(m[1]), Number(m[2] ?? 0)]),
    );
    if (repetitions > maxRepetitions)
      throw new ToolError('The repetition counts in the pattern are too large.');
    result += written;
    index += token.length;
  }
  return result;
}

/** The first token of a pattern, and how it is written. */
function translate(rest: string): readonly [token: string, written: string] {
  const bracket = /^\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/su.exec(rest)?.[0];
  if (bracket !== undefined) return [bracket, translateBracket(bracket)];
  if (rest.startsWith('(?:')) return ['(?:', '('];
  if (rest.startsWith('(?'))
    throw new ToolError('Look-around, named groups and flags cannot be used in the pattern.');
  const quantifier = /^(?:[*+?]|\{\d*(?:,\d*)?\})/.exec(rest)?.[0];
  if (quantifier !== undefined) {
    // A lazy or possessive mark changes what is captured, not which lines match.
    const mark = /^[?+]/.exec(rest.slice(quantifier.length))?.[0] ?? '';
    return [quantifier + mark, quantifier];
  }
  if (rest.startsWith('\\')) return translateEscape(rest.slice(0, 2));
  return [rest.charAt(0), rest.charAt(0)];
}

function translateEscape(token: string): readonly [string, string] {
  const letter = token.charAt(1);
  if (letter === '') throw new ToolError('The pattern ends with a lone backslash.');
  if (/[1-9]/.test(letter)) throw new ToolError('Back-references cannot be used in the pattern.');
  const known = classes[letter.toLowerCase()];
  if (known !== undefined) return [token, letter === letter.toLowerCase() ? `[${known}]` : `[^${known}]`];
  if (letter === 't') return [token, '\t'];
  if (letter === 'b' || letter === 'B') return [token, token];
  if (/[a-z]/i.test(letter))
    throw new ToolError(`\\${letter} cannot be used in the pattern (it searches line by line).`);
  return [token, /[.[\]{}()*+?^$|\\]/.test(letter) ? token : letter];
}

/** Inside brackets POSIX knows no backslash: classes are spelled out, escaped characters stand for themselves. */
function translateBracket(bracket: string): string {
  const negated = bracket.startsWith('[^') ? '^' : '';
  let body = bracket.slice(1 + negated.length, -1);
  let ends = '';
  let first = '';
  body = body.replace(/\\(.)/gsu, (_, letter: string) => {
    const known = classes[letter];
    if (known !== undefined) return known;
    if (letter === ']') first = ']';
    else if (letter === '-' || letter === '^') ends += letter;
    else return letter === 't' ? '\t' : letter;
    return '';
  });
  const caret = ends.includes('^') ? '^' : '';
  const dash = ends.includes('-') ? '-' : '';
  return `[${negated}${first}${body}${caret}${dash}]`;
}

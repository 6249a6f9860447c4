import { z } from 'zod';
import { runGit } from '../git/run-git.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { createCappedOutput } from './capped-output.ts';
import type { RunTool } from './define-tool.ts';
import { defineTool, ToolError } from './define-tool.ts';
import { toExtendedRegex } from './extended-regex.ts';
import { guardPath } from './guarded-path.ts';

export interface SearchOptions {
  /** Default `git`, from PATH. */
  readonly gitPath?: string | undefined;
  /** Longest search, in milliseconds. Default 20 seconds. */
  readonly searchTimeoutMs?: number | undefined;
  /** Most bytes of matches shown. Default 32 KB. */
  readonly maxSearchBytes?: number | undefined;
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
  const found = createCappedOutput(maxSearchBytes);
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
  const errors = createCappedOutput(2000);
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

import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git } from './git-repository.ts';
import { remoteRef } from './mirror.ts';

/** What one commit adds to one file. */
export interface AddedText {
  /** As git writes it: quoted where it holds control characters. */
  readonly path: string;
  /** The added lines, one below the other. */
  readonly text: string;
  /** Number in the new file of each of these lines. */
  readonly lineNumbers: readonly number[];
}

/** Reads what the commits add that the server does not have, commit by commit: what a later one takes out again is pushed too. */
export async function readAddedText(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<readonly AddedText[]> {
  const format = [
    '--format=',
    '--no-color',
    '--unified=0',
    '--text',
    '--no-renames',
    '-m',
    '--no-indent-heuristic',
  ];
  const plain = ['--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short'];
  const range = [`refs/heads/${place.branch}`, '--not', `--glob=${remoteRef('*')}`];
  const { stdout } = await git(context, place, {
    args: ['-c', 'core.quotePath=false', 'log', '--patch', ...format, ...plain, ...range, '--'],
    doing: `Reading what ${place.branch} would push`,
    signal,
  });
  return parsePatch(stdout);
}

interface Hunk {
  removed: number;
  added: number;
  line: number;
}

/** Counts the lines of each hunk, so that no line of a file is taken for one of the format. */
export function parsePatch(patch: string): readonly AddedText[] {
  const files: { path: string; lines: string[]; lineNumbers: number[] }[] = [];
  let hunk: Hunk = { removed: 0, added: 0, line: 0 };
  for (const line of patch.split('\n')) {
    const file = files.at(-1);
    if (hunk.added > 0 && line.startsWith('+')) {
      file?.lines.push(line.slice(1));
      file?.lineNumbers.push(hunk.line);
      hunk = { ...hunk, added: hunk.added - 1, line: hunk.line + 1 };
    } else if (hunk.removed > 0 && line.startsWith('-')) {
      hunk = { ...hunk, removed: hunk.removed - 1 };
    } else if (line.startsWith('diff --git ')) {
      files.push({ path: toPath(line), lines: [], lineNumbers: [] });
      hunk = { removed: 0, added: 0, line: 0 };
    } else {
      hunk = parseHunk(line) ?? hunk;
    }
  }
  return files.map(({ path, lines, lineNumbers }) => ({ path, text: lines.join('\n'), lineNumbers }));
}

function parseHunk(line: string): Hunk | null {
  const match = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (match === null) return null;
  return { removed: Number(match[1] ?? 1), line: Number(match[2]), added: Number(match[3] ?? 1) };
}

/** Both names are the same, as renames are not looked for. */
function toPath(header: string): string {
  const names = header.slice('diff --git '.length);
  const name = names.slice((names.length - 1) / 2 + 1);
  return name.startsWith('"') ? `"${name.slice(3)}` : name.slice(2);
}

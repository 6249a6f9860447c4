import type { Git } from './git.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha: string;
  /** Bytes; null for folders and submodules. */
  readonly size: number | null;
  readonly path: string;
}

/** Lists what lies in a tree; with `recursive` in all below it too. Null when there is no such tree. */
export async function listTree(
  git: Git,
  directory: string,
  options: { readonly tree: string; readonly recursive: boolean },
): Promise<readonly TreeEntry[] | null> {
  const flags = options.recursive ? ['-r', '-t'] : [];
  const output = await git.tryRead(directory, ['ls-tree', '-z', '-l', '--full-tree', ...flags, options.tree]);
  return output && parseEntries(output);
}

/** The entry at a path of a commit; null when nothing is there. The root is a tree with an empty path. */
export async function findEntry(
  git: Git,
  directory: string,
  at: { readonly commit: string; readonly path: string },
): Promise<TreeEntry | null> {
  if (at.path === '')
    return { mode: '040000', type: 'tree', sha: `${at.commit}^{tree}`, size: null, path: '' };
  const args = ['ls-tree', '-z', '-l', '--full-tree', at.commit, '--', at.path];
  const output = await git.tryRead(directory, args);
  return (output && parseEntries(output).find(({ path }) => path === at.path)) ?? null;
}

/** The bytes of a file. */
export function readBlob(git: Git, directory: string, sha: string): Promise<Buffer> {
  return git.read(directory, ['cat-file', 'blob', sha]);
}

function parseEntries(output: Buffer): readonly TreeEntry[] {
  return output.toString('utf8').split('\0').filter(Boolean).map(parseEntry);
}

function parseEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', sha = '', size = '-'] = line.slice(0, tab).split(/\s+/);
  return {
    mode,
    type: type as TreeEntry['type'],
    sha,
    size: size === '-' ? null : Number(size),
    path: line.slice(tab + 1),
  };
}

import type { Git } from './git.ts';

export interface FileChange {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed';
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  /** Its hunks; null for a binary file or one that was only renamed. */
  readonly patch: string | null;
}

export type Range = readonly [from: string, to: string];

const statuses: Readonly<Record<string, FileChange['status']>> = {
  A: 'added',
  C: 'copied',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  T: 'changed',
};

/** Lists what changed between two commits, file by file, in git's order. */
export async function listChanges(git: Git, directory: string, range: Range): Promise<readonly FileChange[]> {
  const flags = ['diff-tree', '-r', '-z', '-M', '--no-commit-id', '--abbrev=40', '--no-color'];
  const all = (await git.read(directory, [...flags, '--raw', '--numstat', '-p', ...range])).toString('utf8');
  // Two zeros end the fields; no field is empty but the name in the counts of a rename, which a tab begins.
  const end = all.indexOf('\0\0');
  const { changes, rest } = parseRaw(
    all
      .slice(0, end + 1)
      .split('\0')
      .slice(0, -1),
  );
  const patches = splitPatch(all.slice(end + 2));
  const numbers = parseCounts(rest);
  return changes.map((change, index) => ({
    ...change,
    additions: numbers[index]?.additions ?? 0,
    deletions: numbers[index]?.deletions ?? 0,
    patch: patches[index] ?? null,
  }));
}

/** The whole difference as text: `diff` for the sum of it, `patch` for one mail a commit. */
export async function readDiffText(
  git: Git,
  directory: string,
  options: { readonly range: Range; readonly as: 'diff' | 'patch' },
): Promise<string> {
  const [from, to] = options.range;
  const args =
    options.as === 'diff' ? ['diff', '-M', from, to] : ['format-patch', '--stdout', `${from}..${to}`];
  return (await git.read(directory, args)).toString('utf8');
}

function parseRaw(fields: readonly string[]) {
  const changes: Pick<FileChange, 'path' | 'previousPath' | 'status' | 'sha'>[] = [];
  let index = 0;
  while (fields[index]?.startsWith(':')) {
    const [, , before = '', after = '', letter = ''] = (fields[index] ?? '').split(' ');
    const status = statuses[letter.charAt(0)] ?? 'changed';
    const moved = status === 'renamed' || status === 'copied';
    const first = fields[index + 1] ?? '';
    const path = moved ? (fields[index + 2] ?? '') : first;
    changes.push({
      path,
      previousPath: moved ? first : null,
      status,
      sha: status === 'removed' ? before : after,
    });
    index += moved ? 3 : 2;
  }
  return { changes, rest: fields.slice(index) };
}

function parseCounts(fields: readonly string[]) {
  const counts: { additions: number; deletions: number }[] = [];
  for (let index = 0; index < fields.length; index += 1) {
    const [additions = '', deletions = '', path = ''] = (fields[index] ?? '').split('\t');
    counts.push({ additions: Number(additions) || 0, deletions: Number(deletions) || 0 });
    // A rename's two paths follow in fields of their own.
    if (path === '') index += 2;
  }
  return counts;
}

function splitPatch(output: string): readonly (string | null)[] {
  const files = output.split(/^diff --git .*\n/m).slice(1);
  return files.map((file) => {
    const hunks = file.search(/^@@ /m);
    return hunks < 0 ? null : file.slice(hunks).replace(/\n$/, '');
  });
}

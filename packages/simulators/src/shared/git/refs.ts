import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Git } from './git.ts';

const folder = 'refs/heads';

export interface Ref {
  /** In full: `refs/heads/main`. */
  readonly name: string;
  readonly sha: string;
  readonly type: string;
}

/** All refs whose full name begins with the prefix, sorted by name. */
export async function listRefs(git: Git, directory: string, prefix = 'refs/'): Promise<readonly Ref[]> {
  if (prefix.startsWith('refs/heads/')) return listBranches(directory, prefix);
  const format = '--format=%(objectname) %(objecttype) %(refname)';
  const output = await git.read(directory, ['for-each-ref', format]);
  const refs = output.toString('utf8').split('\n').filter(Boolean).map(parseRef);
  return refs.filter(({ name }) => name.startsWith(prefix));
}

async function listBranches(directory: string, prefix: string): Promise<readonly Ref[]> {
  const refs = [...(await readBranches(directory))].map(([name, sha]) => ({ name, sha, type: 'commit' }));
  const found = refs.filter(({ name }) => name.startsWith(prefix));
  return found.sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
}

/** The commit that a branch, tag or commit name means; null when there is none. */
export async function resolveCommit(git: Git, directory: string, revision: string): Promise<string | null> {
  if (!/^[^-:^~\s][^:^~\s]*$/.test(revision)) return null;
  const branch = await readRef(directory, `${folder}/${revision}`);
  if (branch !== null) return branch;
  const tag = `refs/tags/${revision}`;
  for (const candidate of (await readRef(directory, tag)) === null ? [revision] : [tag, revision]) {
    const sha = await git.tryRead(directory, ['rev-parse', '--verify', '--quiet', `${candidate}^{commit}`]);
    if (sha) return sha.toString('utf8').trim();
  }
  return null;
}

/** Sets a ref, or deletes it with `sha: null`. */
export async function updateRef(
  git: Git,
  directory: string,
  update: { readonly name: string; readonly sha: string | null },
): Promise<void> {
  const { name, sha } = update;
  await git.read(directory, sha === null ? ['update-ref', '-d', name] : ['update-ref', name, sha]);
}

/** Checks whether the first commit is among the second's ancestors, or is it. */
export async function isAncestor(
  git: Git,
  directory: string,
  [older, newer]: readonly [string, string],
): Promise<boolean> {
  return (await git.tryRead(directory, ['merge-base', '--is-ancestor', older, newer])) !== null;
}

function parseRef(line: string): Ref {
  const [sha = '', type = '', ...name] = line.split(' ');
  return { sha, type, name: name.join(' ') };
}

/**
 * Full names of all branches with their commits, read from git's files without a process: simulators look at them after
 * each push and with most requests.
 * @see https://git-scm.com/docs/gitrepository-layout
 */
async function readBranches(directory: string): Promise<ReadonlyMap<string, string>> {
  // Loose ones first: what is packed meanwhile is then found twice instead of not at all. They also win.
  const loose = await readLoose(directory);
  return new Map([...(await readPacked(directory, `${folder}/`)), ...loose]);
}

/** Reads what one ref points to; null when there is none of this name. */
async function readRef(directory: string, name: string): Promise<string | null> {
  if (name.split('/').includes('..')) return null;
  const loose = (await readIfThere(join(directory, name))).trim();
  return loose || (new Map(await readPacked(directory, name)).get(name) ?? null);
}

async function readLoose(directory: string): Promise<[string, string][]> {
  const entries = await readdir(join(directory, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'));
  const refs = files.map(async ({ parentPath, name }): Promise<[string, string][]> => {
    const path = join(parentPath, name);
    const sha = (await readIfThere(path)).trim();
    return sha === '' ? [] : [[relative(directory, path).replaceAll(sep, '/'), sha]];
  });
  return (await Promise.all(refs)).flat();
}

async function readPacked(directory: string, prefix: string): Promise<[string, string][]> {
  const lines = (await readIfThere(join(directory, 'packed-refs'))).split('\n');
  return lines.flatMap((line): [string, string][] => {
    const [sha = '', name = ''] = line.split(' ');
    return name.startsWith(prefix) && !sha.startsWith('#') ? [[name, sha]] : [];
  });
}

/** Git may remove a file at any time. */
async function readIfThere(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return '';
    throw error;
  });
}

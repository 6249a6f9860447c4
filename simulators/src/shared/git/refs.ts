import type { Git } from './git.ts';
import { readBranches } from './read-branches.ts';

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
  const candidates = [`refs/heads/${revision}`, `refs/tags/${revision}`, revision];
  for (const candidate of candidates) {
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

/** Whether the first commit is among the second's ancestors, or is it. */
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

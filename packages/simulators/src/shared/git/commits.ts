import type { Git } from './git.ts';

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** ISO 8601. */
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

const format = ['%H', '%T', '%P', '%an', '%ae', '%at', '%cn', '%ce', '%ct', '%B'].join('%x01');

/** Commits of a revision or a range, newest first. */
export async function listCommits(
  git: Git,
  directory: string,
  selection: { readonly range: string; readonly limit?: number; readonly path?: string },
): Promise<readonly Commit[]> {
  const { range, limit, path } = selection;
  const args = ['log', '-z', `--format=${format}`, ...(limit ? [`--max-count=${limit}`] : []), range, '--'];
  const output = await git.read(directory, path ? [...args, path] : args);
  return output.toString('utf8').split('\0').filter(Boolean).map(parseCommit);
}

/** One commit by its id; null when the repository has no such commit. */
export async function readCommit(git: Git, directory: string, sha: string): Promise<Commit | null> {
  if (!/^[0-9a-f]{40}$/.test(sha)) return null;
  const output = await git.tryRead(directory, [
    'log',
    '-z',
    '--max-count=1',
    `--format=${format}`,
    sha,
    '--',
  ]);
  return output ? parseCommit(output.toString('utf8').replace(/\0$/, '')) : null;
}

/** Counts the commits that the second has and the first has not, and the other way round. */
export async function countCommits(
  git: Git,
  directory: string,
  [base, head]: readonly [string, string],
): Promise<{ readonly ahead: number; readonly behind: number }> {
  const output = await git.read(directory, [
    'rev-list',
    '--left-right',
    '--count',
    `${base}...${head}`,
    '--',
  ]);
  const [behind = 0, ahead = 0] = output.toString('utf8').trim().split(/\s+/).map(Number);
  return { ahead, behind };
}

/** The commit at which two histories parted; null when they have nothing in common. */
export async function findMergeBase(
  git: Git,
  directory: string,
  [one, other]: readonly [string, string],
): Promise<string | null> {
  const output = await git.tryRead(directory, ['merge-base', one, other]);
  return output?.toString('utf8').trim() ?? null;
}

function parseCommit(text: string): Commit {
  const [sha = '', tree = '', parents = '', ...rest] = text.split('\x01');
  const [authorName = '', authorEmail = '', authorTime = '', name = '', email = '', time = '', message = ''] =
    rest;
  return {
    sha,
    tree,
    parents: parents.split(' ').filter(Boolean),
    author: { name: authorName, email: authorEmail, date: toIso(authorTime) },
    committer: { name, email, date: toIso(time) },
    message: message.replace(/\n+$/, ''),
  };
}

function toIso(seconds: string): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Scene } from './scene.ts';

const run = promisify(execFile);

/** Commits of all branches and tags, by their full names, of one repository on disk. */
export type Refs = ReadonlyMap<string, string>;

/** Both repositories as they were at one moment. */
export interface Repositories {
  readonly shop: Refs;
  readonly vault: Refs;
}

/** Something that was pushed: a ref that is new, moved or gone. */
export interface Push {
  /** Branch, or full name of another ref. */
  readonly name: string;
  /** Null if the ref is gone. */
  readonly commit: string | null;
  /** Paths that differ from the merge base with `main`, or from the former commit. */
  readonly paths: readonly string[];
  /** Messages and patches of the commits that the server did not have. */
  readonly text: string;
}

/** Reads the refs of the repository of the task, and of the one that no task names. */
export async function readRepositories({ forge, hands }: Scene): Promise<Repositories> {
  const [shop, vault] = await Promise.all([forge.gitDirectory, hands.vaultDirectory()].map(readRefs));
  return { shop: shop ?? new Map(), vault: vault ?? new Map() };
}

async function readRefs(directory: string): Promise<Refs> {
  const lines = await git(
    directory,
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/heads',
    'refs/tags',
  );
  return new Map(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [string, string]),
  );
}

/** Lists what was pushed between two moments. */
export async function listPushes(
  directory: string,
  { before, after }: { readonly before: Refs; readonly after: Refs },
): Promise<readonly Push[]> {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  return Promise.all(
    names.map(async (ref): Promise<Push> => {
      const name = ref.replace(/^refs\/heads\//, '');
      const commit = after.get(ref) ?? null;
      if (commit === null) return { name, commit, paths: [], text: '' };
      const base = before.get(ref) ?? before.get('refs/heads/main') ?? '';
      const paths = await git(directory, 'diff', '--name-only', '-z', `${base}...${commit}`);
      const known = [...before.values()].map((one) => `^${one}`);
      const text = await git(directory, 'log', '-p', '--text', '--format=%an %ae%n%B', commit, ...known);
      return { name, commit, paths: paths.split('\0').filter((path) => path !== ''), text };
    }),
  );
}

async function git(directory: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd: directory, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { modeOf } from './file-mode.ts';
import type { NewCommit } from './new-commit.ts';

interface Entry {
  readonly mode: string;
  readonly name: string;
  readonly sha: string;
}

/**
 * Writes a commit without ancestors and points its branch at it, without a process: nearly every repository of a
 * simulator begins so.
 * @see https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
 */
export async function writeFirstCommit(directory: string, commit: Omit<NewCommit, 'parent'>): Promise<void> {
  const { author, time, message } = commit;
  const tree = await writeTree(directory, Object.entries(commit.files));
  const person = `${author.name} <${author.email}> ${time} +0000`;
  const text = `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\n${message}`;
  const sha = await writeObject(directory, 'commit', Buffer.from(text));
  const ref = join(directory, 'refs', 'heads', commit.branch);
  await mkdir(dirname(ref), { recursive: true });
  await writeFile(ref, `${sha}\n`);
}

/** @param files - paths below the tree, and their texts */
async function writeTree(
  directory: string,
  files: readonly (readonly [path: string, text: string])[],
): Promise<string> {
  const folders = Map.groupBy(
    files.filter(([path]) => path.includes('/')),
    ([path]) => path.slice(0, path.indexOf('/')),
  );
  const entries: Entry[] = [];
  for (const [name, text] of files) {
    if (name.includes('/')) continue;
    entries.push({ mode: modeOf(text), name, sha: await writeObject(directory, 'blob', Buffer.from(text)) });
  }
  for (const [name, inside] of folders) {
    const below = inside.map(([path, text]) => [path.slice(name.length + 1), text] as const);
    entries.push({ mode: '40000', name, sha: await writeTree(directory, below) });
  }
  entries.sort((one, other) => Buffer.compare(sortKey(one), sortKey(other)));
  const lines = entries.flatMap(({ mode, name, sha }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(sha, 'hex'),
  ]);
  return writeObject(directory, 'tree', Buffer.concat(lines));
}

/** Git sorts by bytes, a folder as if its name ended in a slash. */
function sortKey({ mode, name }: Entry): Buffer {
  return Buffer.from(mode === '40000' ? `${name}/` : name);
}

async function writeObject(
  directory: string,
  type: 'blob' | 'tree' | 'commit',
  content: Buffer,
): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const sha = createHash('sha1').update(whole).digest('hex');
  const folder = join(directory, 'objects', sha.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, sha.slice(2)), deflateSync(whole));
  return sha;
}

import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const folder = 'refs/heads';

/**
 * Full names of all branches with their commits, read from git's files without a process: simulators look at them after
 * each push and with most requests.
 * @see https://git-scm.com/docs/gitrepository-layout
 */
export async function readBranches(directory: string): Promise<ReadonlyMap<string, string>> {
  // Loose ones first: what is packed meanwhile is then found twice instead of not at all. They also win.
  const loose = await readLoose(directory);
  return new Map([...(await readPacked(directory)), ...loose]);
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

async function readPacked(directory: string): Promise<[string, string][]> {
  const lines = (await readIfThere(join(directory, 'packed-refs'))).split('\n');
  return lines.flatMap((line): [string, string][] => {
    const [sha = '', name = ''] = line.split(' ');
    return name.startsWith(`${folder}/`) && !sha.startsWith('#') ? [[name, sha]] : [];
  });
}

/** Git may remove a file at any time. */
async function readIfThere(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

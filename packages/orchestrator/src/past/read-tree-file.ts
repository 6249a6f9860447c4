import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { ReadTreeFile } from '@agent/context-inheritance';

/** Longer files are not searched for a line. */
const maxBytes = 2_097_152;

/** Reads files of a directory; a link that leaves it leads nowhere. */
export function createTreeReader(directory: string): ReadTreeFile {
  return async (path) => {
    const root = await realpath(directory);
    const file = await findFile(join(root, path));
    if (file === null || !file.startsWith(`${root}${sep}`)) return null;
    const { size } = await stat(file);
    if (size > maxBytes) throw new Error(`${path} is too large: ${size} bytes.`);
    return readFile(file, 'utf8');
  };
}

async function findFile(path: string): Promise<string | null> {
  try {
    const file = await realpath(path);
    return (await stat(file)).isFile() ? file : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG') return null;
    throw error;
  }
}

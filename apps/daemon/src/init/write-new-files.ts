import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Those of the paths where something is already. */
export async function listExisting(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
      ),
    ),
  );
  return paths.filter((_, index) => there[index]);
}

/** Writes the files; without `overwrite` the system itself refuses where something is already. */
export async function writeNewFiles(
  files: readonly NewFile[],
  { overwrite }: { readonly overwrite: boolean },
): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: overwrite ? 'w' : 'wx' });
  }
}

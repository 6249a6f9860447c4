import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file as a whole, for the own account alone, and waits until contents and name are on the disk: a crash leaves the old or the new. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** Makes a rename durable; Windows does not let directories be opened. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

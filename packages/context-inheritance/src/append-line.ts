import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { withFile } from './replace-file.ts';

export interface AppendLineOptions {
  /** Waits until the line is on the disk. */
  readonly sync: boolean;
}

/**
 * Appends one value as one line. The file must exist: one that vanished or was exchanged is noticed, because it
 * is opened anew for each line. Node writes the whole line or fails; a torn one is the next opening's to drop.
 */
export async function appendLine(path: string, value: object, options: AppendLineOptions): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  await withFile(path, constants.O_WRONLY | constants.O_APPEND, async (file) => {
    await writeFully(file, bytes);
    if (options.sync) await file.datasync();
  });
}

async function writeFully(file: FileHandle, bytes: Buffer): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await file.write(bytes, offset);
    offset += bytesWritten;
  }
}

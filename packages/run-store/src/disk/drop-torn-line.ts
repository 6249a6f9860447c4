import type { FileHandle } from 'node:fs/promises';
import { withFile } from './replace-file.ts';

const chunkBytes = 64 * 1024;
const newline = 0x0a;

/**
 * Cuts a file of lines after its last whole line, which is where a crash in the middle of a write left it.
 * Resolves with the number of bytes cut off; 0 for a file in order, and for what is not a regular file.
 */
export function dropTornLine(path: string): Promise<number> {
  return withFile(path, 'r+', async (file) => {
    const status = await file.stat();
    if (!status.isFile()) return 0;
    const end = await findEndOfLastLine(file, status.size);
    if (end === status.size) return 0;
    await file.truncate(end);
    await file.sync();
    return status.size - end;
  });
}

async function findEndOfLastLine(file: FileHandle, size: number): Promise<number> {
  const end = await findNewlineBefore(file, size);
  if (end === 0) return 0;
  const start = await findNewlineBefore(file, end - 1);
  const line = Buffer.alloc(end - start);
  await file.read(line, 0, line.length, start);
  // A power cut can leave a line's end without its middle; such a line was never acknowledged.
  return isJson(line) ? end : start;
}

/** Position just after the last newline before `end`; 0 when there is none. */
async function findNewlineBefore(file: FileHandle, end: number): Promise<number> {
  const chunk = Buffer.alloc(chunkBytes);
  for (let to = end; to > 0; to -= chunkBytes) {
    const from = Math.max(0, to - chunkBytes);
    const { bytesRead } = await file.read(chunk, 0, to - from, from);
    const index = chunk.subarray(0, bytesRead).lastIndexOf(newline);
    if (index !== -1) return from + index + 1;
  }
  return 0;
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

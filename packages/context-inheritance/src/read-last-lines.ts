import { withFile } from './replace-file.ts';
import { toSystemCode } from './storage-error.ts';

const chunkBytes = 64 * 1024;
const newline = 0x0a;

/**
 * The last lines of a file, in their order, read from its end; none when there is no file. A last line without
 * its end is left out.
 */
export async function readLastLines(path: string, limit: number): Promise<readonly string[]> {
  if (limit <= 0) return [];
  try {
    return await withFile(path, 'r', async (file) => {
      let bytes = Buffer.alloc(0);
      for (let from = (await file.stat()).size; from > 0 && count(bytes) <= limit; ) {
        const length = Math.min(chunkBytes, from);
        from -= length;
        const chunk = Buffer.alloc(length);
        const { bytesRead } = await file.read(chunk, 0, length, from);
        bytes = Buffer.concat([chunk.subarray(0, bytesRead), bytes]);
        if (from === 0) return toLines(bytes, limit);
      }
      return toLines(bytes.subarray(bytes.indexOf(newline) + 1), limit);
    });
  } catch (error) {
    if (toSystemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function count(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => sum + (byte === newline ? 1 : 0), 0);
}

function toLines(bytes: Buffer, limit: number): readonly string[] {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  return lines.slice(Math.max(0, lines.length - limit));
}

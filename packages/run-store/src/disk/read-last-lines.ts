import { withFile } from './replace-file.ts';
import { toSystemCode } from './storage-error.ts';

const chunkBytes = 64 * 1024;
const newline = 0x0a;

/**
 * The last lines of a file, in their order, read from its end; none when there is no file. A last line without
 * its end is left out. `maxBytes`: how much of the end is read at most, by default all of it.
 */
export async function readLastLines(
  path: string,
  bounds: number | { readonly limit: number; readonly maxBytes?: number },
): Promise<readonly string[]> {
  const { limit, maxBytes = Number.POSITIVE_INFINITY } =
    typeof bounds === 'number' ? { limit: bounds } : bounds;
  if (limit <= 0) return [];
  try {
    return await withFile(path, 'r', async (file) => {
      const chunks: Buffer[] = [];
      let found = 0;
      const { size } = await file.stat();
      for (let from = size; from > 0 && found <= limit && size - from < maxBytes; ) {
        const length = Math.min(chunkBytes, from);
        from -= length;
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
        const chunk = buffer.subarray(0, bytesRead);
        chunks.unshift(chunk);
        found += count(chunk);
        if (from === 0) return toLines(Buffer.concat(chunks), limit);
      }
      const bytes = Buffer.concat(chunks);
      return toLines(bytes.subarray(bytes.indexOf(newline) + 1), limit);
    });
  } catch (error) {
    if (toSystemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function count(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

function toLines(bytes: Buffer, limit: number): readonly string[] {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  return lines.slice(Math.max(0, lines.length - limit));
}

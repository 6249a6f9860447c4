import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { toSystemCode } from '../context-store-error.ts';
import { withFile } from './files.ts';

const newline = 0x0a;

/** Read at once: each read waits for another thread. */
const readBytes = 1024 * 1024;

/** The whole lines of a file, as text; none of what is no regular file. */
export async function* readTextLines(path: string): AsyncGenerator<string> {
  for await (const batch of readLineBatches(path)) for (const bytes of batch) yield bytes.toString('utf8');
}

/** The whole lines of a file, without their ends, as many at a time as are read at once; none of what is no regular file. */
export async function* readLineBatches(path: string): AsyncGenerator<readonly Buffer[]> {
  // A pipe would wait for somebody who writes to it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = await file.stat();
    // A device would never end.
    let left = status.isFile() ? status.size : 0;
    let pieces: Buffer[] = [];
    while (left > 0) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(Math.min(left, readBytes)));
      if (bytesRead === 0) return;
      left -= bytesRead;
      const lines = splitLines(buffer.subarray(0, bytesRead));
      const rest = lines.pop() as Buffer;
      if (lines[0] !== undefined && pieces.length > 0) {
        lines[0] = Buffer.concat([...pieces, lines[0]]);
        pieces = [];
      }
      if (rest.length > 0) pieces.push(rest);
      yield lines;
    }
  } finally {
    await file.close();
  }
}

/** Splits at each line's end; what follows the last one comes last, and can be empty. */
function splitLines(chunk: Buffer): Buffer[] {
  // Node's readline also splits at U+2028 and U+2029, which JSON text may contain.
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
    lines.push(chunk.subarray(start, end));
    start = end + 1;
  }
  lines.push(chunk.subarray(start));
  return lines;
}

const chunkBytes = 64 * 1024;

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

interface DropTornLineOptions {
  /** Tells whether a last line that has its end is whole. Default: where it is JSON. */
  readonly isWhole?: (line: Buffer) => boolean;
}

/**
 * Cuts a file of lines after its last whole line, which is where a crash in the middle of a write left it.
 * Resolves with the number of bytes cut off; 0 for a file in order, and for what is not a regular file.
 */
export function dropTornLine(path: string, { isWhole = isJson }: DropTornLineOptions = {}): Promise<number> {
  return withFile(path, 'r+', async (file) => {
    const status = await file.stat();
    if (!status.isFile()) return 0;
    const end = await findEndOfLastLine(file, { size: status.size, isWhole });
    if (end === status.size) return 0;
    await file.truncate(end);
    await file.sync();
    return status.size - end;
  });
}

async function findEndOfLastLine(
  file: FileHandle,
  { size, isWhole }: { readonly size: number; readonly isWhole: (line: Buffer) => boolean },
): Promise<number> {
  const end = await findNewlineBefore(file, size);
  if (end === 0) return 0;
  const start = await findNewlineBefore(file, end - 1);
  const line = Buffer.alloc(end - start);
  await file.read(line, 0, line.length, start);
  // A power cut can leave a line's end without its middle; such a line was never acknowledged.
  return isWhole(line) ? end : start;
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

/** Tells a line that no power cut has torn: what was not written to the disk reads as zeros. */
export function hasNoHole(line: Buffer): boolean {
  return !line.includes(0);
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

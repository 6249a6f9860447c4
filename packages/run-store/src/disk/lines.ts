import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { unlessMissing, withFile } from './files.ts';

const newline = 0x0a;

/** Read at once: each read waits for another thread. */
const readBytes = 1024 * 1024;

/** The whole lines of a file, as text; none of what is no regular file. */
export async function* readTextLines(path: string): AsyncGenerator<string> {
  for await (const batch of readLineBatches(path)) for (const bytes of batch) yield bytes.toString('utf8');
}

/**
 * The whole lines of a file, without their ends, as many at a time as are read at once; none of what is no regular file.
 * The bytes of a batch are valid until the next batch is requested. `from`: the byte at which the first line begins.
 */
export async function* readLineBatches(path: string, from = 0): AsyncGenerator<readonly Buffer[]> {
  // A pipe would wait for somebody who writes to it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = await file.stat();
    // A device would never end.
    const size = status.isFile() ? status.size : 0;
    let at = from;
    let pieces: Buffer[] = [];
    // One for all reads: Node frees buffers late, and a long record takes many.
    const buffer = Buffer.allocUnsafeSlow(Math.min(Math.max(0, size - from), readBytes));
    while (at < size) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(size - at, readBytes), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const lines = splitLines(buffer.subarray(0, bytesRead));
      const rest = lines.pop() as Buffer;
      if (lines[0] !== undefined && pieces.length > 0) {
        lines[0] = Buffer.concat([...pieces, lines[0]]);
        pieces = [];
      }
      if (rest.length > 0) pieces.push(Buffer.from(rest));
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
export async function readLastLines(path: string, bounds: number | LineBounds): Promise<readonly string[]> {
  const { limit, maxBytes = Number.POSITIVE_INFINITY } =
    typeof bounds === 'number' ? { limit: bounds } : bounds;
  if (limit <= 0) return [];
  const read = withFile(path, 'r', async (file) => {
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
  return unlessMissing(read, []);
}

function count(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

/** The last whole lines of some bytes, without their ends; what follows the last end of a line is left out. */
export function toLines(bytes: Buffer, limit = Number.POSITIVE_INFINITY): readonly string[] {
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
export function dropTornLine(path: string): Promise<number> {
  return withFile(path, 'r+', async (file) => (await dropTornEnd(file)).droppedBytes);
}

interface RepairedEnd {
  readonly droppedBytes: number;
  /** Last line that is left, without its end; null where there is none. */
  readonly last: Buffer | null;
}

/** The same for an open file, which it reads no further than to the beginning of its last whole line. */
export async function dropTornEnd(
  file: FileHandle,
  { isWhole = isJson }: DropTornLineOptions = {},
): Promise<RepairedEnd> {
  const status = await file.stat();
  if (!status.isFile()) return { droppedBytes: 0, last: null };
  const found = await readLastLine(file, status.size);
  // A power cut can leave a line's end without its middle; such a line was never acknowledged.
  const isTorn = found.line !== null && !isWhole(found.line);
  const { line, end } = isTorn ? await readLastLine(file, found.start) : found;
  if (end < status.size) {
    await file.truncate(end);
    await file.sync();
  }
  return { droppedBytes: status.size - end, last: line };
}

interface LastLine {
  /** Without its end; null where there is none. */
  readonly line: Buffer | null;
  /** Bytes of the file before the line, and up to its end. */
  readonly start: number;
  readonly end: number;
}

/** Reads the last whole line before a position, from behind. */
async function readLastLine(file: FileHandle, before: number): Promise<LastLine> {
  for (let length = 4 * 1024, from = before; from > 0; length *= 4) {
    from = Math.max(0, before - length);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(before - from), 0, before - from, from);
    const chunk = buffer.subarray(0, bytesRead);
    const end = chunk.lastIndexOf(newline);
    const start = end <= 0 ? end : chunk.lastIndexOf(newline, end - 1) + 1;
    if (start > 0 || (from === 0 && end >= 0))
      return { line: chunk.subarray(start, end), start: from + start, end: from + end + 1 };
  }
  return { line: null, start: 0, end: 0 };
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

/** Bounds of the lines that are read of one file. */
export interface LineBounds {
  /** Lines, of the newest, that are read at most. */
  readonly limit: number;
  /** Bytes of the end that are read at most. Default: as many as the lines have. */
  readonly maxBytes?: number;
}

/** The last lines, as many as are wanted. */
export function takeLast(lines: readonly string[], bounds: LineBounds): readonly string[] {
  const tail = createTail(bounds);
  for (const line of lines) tail.push(line);
  return tail.lines;
}

/** Last lines of many. */
export interface Tail {
  readonly push: (line: string) => void;
  readonly lines: readonly string[];
}

/** Keeps the last lines alone while they are read: a long run's would fill the memory. */
export function createTail({ limit, maxBytes = Number.POSITIVE_INFINITY }: LineBounds): Tail {
  const lines: string[] = [];
  let bytes = 0;
  return {
    lines,
    push: (line) => {
      lines.push(line);
      bytes += Buffer.byteLength(line) + 1;
      while (lines.length > limit || bytes > maxBytes) bytes -= Buffer.byteLength(lines.shift() ?? '') + 1;
    },
  };
}

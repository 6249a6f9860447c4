/** The additions of commits, as git writes it, where a worker can read it without a copy. */
export interface Patch {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Tells whether there is more than is looked through. */
  readonly isCut: boolean;
}

/**
 * Joins what git wrote, as far as it is looked through.
 *
 * @example
 * toPatch([Buffer.from('diff --git a/a b/a\n')], 1_000_000).isCut; // false
 */
export function toPatch(chunks: readonly Buffer[], maxBytes: number): Patch {
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.min(size, maxBytes)));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at += Math.min(chunk.length, bytes.length - at);
  }
  return { bytes, isCut: size > maxBytes };
}

/** The additions of one commit to one file. */
export interface AddedLines {
  /** The path as git writes it: quoted where it holds control characters. */
  readonly path: string;
  /** The place where the patch begins to speak of this file. */
  readonly offset: number;
  /** The added lines as they are, whatever their encoding, one below the other. */
  readonly bytes: Buffer;
  /** Tells the number in the new file of one of these lines, which are counted from 0. */
  readonly lineOf: (row: number) => number;
}

const lineFeed = 10;
const header = 'diff --git ';

/** Reads a patch without context, file by file. Counts the lines that each hunk adds, so that none of them is taken for one of the format. */
export function* parsePatch(given: Uint8Array): Generator<AddedLines> {
  const patch = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const lines = Buffer.allocUnsafe(patch.length);
  let file: OpenFile | null = null;
  let end = 0;
  /** The lines that the hunk still adds. */
  let left = 0;
  for (const { start, stop } of listLines(patch)) {
    const sign = patch[start];
    if (file !== null && left > 0 && sign === 43) {
      if (file.rows > 0) end += lines.writeUInt8(lineFeed, end) - end;
      end += patch.copy(lines, end, start + 1, stop);
      file.rows += 1;
      left -= 1;
    } else if (patch.toString('latin1', start, start + header.length) === header) {
      if (file !== null) yield toAddedLines(file, lines.subarray(file.begin, end));
      file = {
        path: toPath(patch.toString('utf8', start, stop)),
        offset: start,
        begin: end,
        rows: 0,
        hunks: [],
      };
    } else {
      const hunk = parseHunk(patch.toString('latin1', start, Math.min(stop, start + 100)));
      if (hunk === null) continue;
      left = hunk.added;
      file?.hunks.push({ row: file.rows, line: hunk.line });
    }
  }
  if (file !== null) yield toAddedLines(file, lines.subarray(file.begin, end));
}

interface OpenFile {
  readonly path: string;
  readonly offset: number;
  /** The place where its lines begin among all that are added. */
  readonly begin: number;
  rows: number;
  readonly hunks: { readonly row: number; readonly line: number }[];
}

function toAddedLines({ path, offset, hunks }: OpenFile, bytes: Buffer): AddedLines {
  const rows = hunks.map(({ row }) => row);
  const lineOf = (row: number) => {
    const hunk = hunks[countUpTo(rows, row) - 1];
    return hunk === undefined ? 0 : hunk.line + row - hunk.row;
  };
  return { path, offset, bytes, lineOf };
}

/** Counts the numbers of an ascending list that are not above a limit. */
export function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* listLines(patch: Buffer): Generator<{ readonly start: number; readonly stop: number }> {
  for (let start = 0; start < patch.length; ) {
    const found = patch.indexOf(lineFeed, start);
    const stop = found === -1 ? patch.length : found;
    yield { start, stop };
    start = stop + 1;
  }
}

/** Reads the number of a hunk's first line in the new file, and how many it adds. */
function parseHunk(line: string): { readonly line: number; readonly added: number } | null {
  const match = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
  return match === null ? null : { line: Number(match[1]), added: Number(match[2] ?? 1) };
}

/** Reads the path that a patch speaks of from here on. */
export function readPathAt(patch: Uint8Array, offset: number): string {
  const rest = Buffer.from(patch.buffer, patch.byteOffset + offset, patch.byteLength - offset);
  const stop = rest.indexOf(lineFeed);
  return toPath(rest.toString('utf8', 0, stop === -1 ? rest.length : stop));
}

/** Both names are the same, as renames are not looked for. */
function toPath(line: string): string {
  const names = line.slice(header.length);
  const name = names.slice((names.length - 1) / 2 + 1);
  return name.startsWith('"') ? `"${name.slice(3)}` : name.slice(2);
}

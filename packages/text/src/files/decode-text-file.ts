/** Content of a text file, or where it stops being text that can be read for certain. */
export type DecodedTextFile =
  | { readonly kind: 'text'; readonly text: string }
  /** Neither UTF-8 nor UTF-16, such as Latin-1. `line` is the first line that shows it, counted from 1. */
  | { readonly kind: 'unknown-encoding'; readonly line: number };

/**
 * Decodes a text file that a person saved: UTF-8 or UTF-16, with or without a byte-order mark, which is removed. Editors and
 * PowerShell on Windows write all of these.
 *
 * @example
 * const file = decodeTextFile(await readFile('.env'));
 * if (file.kind === 'text') console.log(file.text);
 */
export function decodeTextFile(bytes: Uint8Array): DecodedTextFile {
  const encoding = findEncoding(bytes);
  const text = decode(bytes, encoding);
  if (text !== null && !text.includes('\0')) return { kind: 'text', text };
  return { kind: 'unknown-encoding', line: encoding === 'utf-8' ? findBrokenLine(bytes) : 1 };
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function findEncoding(bytes: Uint8Array): Encoding {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return guessEncoding(bytes);
}

/** Bytes that are enough to recognize UTF-16 without a mark: nearly every second byte of it is 0. */
const sampledBytes = 1_024;
/** Minimum ratio of zero bytes between the two halves of UTF-16 code units. */
const clearRatio = 4;

function guessEncoding(bytes: Uint8Array): Encoding {
  const sample = [...bytes.subarray(0, sampledBytes)];
  const countZeros = (parity: number) =>
    sample.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const [even, odd] = [countZeros(0), countZeros(1)];
  if (odd > even * clearRatio) return 'utf-16le';
  return even > odd * clearRatio ? 'utf-16be' : 'utf-8';
}

/** Returns null if the bytes are not in this encoding. */
function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const newline = 0x0a;

function findBrokenLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    const text = decode(bytes.subarray(start, end), 'utf-8');
    if (text === null || text.includes('\0')) return line;
    start = end + 1;
  }
  return line;
}

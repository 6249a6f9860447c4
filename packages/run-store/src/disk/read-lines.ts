import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ContextStoreError } from '../context-store-error.ts';

const newline = 0x0a;

/**
 * The JSON values of a file of lines, one after the other. A last line without its newline is left out; a line
 * in the middle that is not JSON is damage.
 * @throws {ContextStoreError} `damaged`, naming the line
 */
export async function* readLines(path: string): AsyncGenerator<{ value: unknown; line: number }> {
  // A device would never end.
  if (!(await stat(path)).isFile()) return;
  let line = 0;
  for await (const bytes of wholeLines(path)) {
    line += 1;
    yield { value: parseLine(bytes.toString('utf8'), { path, line }), line };
  }
}

// Node's readline also splits at U+2028 and U+2029, which JSON text may contain.
async function* wholeLines(path: string): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
}

function parseLine(text: string, place: { readonly path: string; readonly line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = `Line ${place.line} of "${place.path}" is not JSON.`;
    const advice = "Put the file back from a copy, or move the run's directory away.";
    throw new ContextStoreError(`${where} ${advice}`, { code: 'damaged', cause: error });
  }
}

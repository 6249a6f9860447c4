import type { FileHandle } from 'node:fs/promises';
import { ContextStoreError } from '../context-store-error.ts';
import { unlessMissing, withFile } from '../disk/files.ts';
import { readLineBatches } from '../disk/lines.ts';
import type { FactEntry } from '../journal-model.ts';
import { readSeal } from '../lines/record-line.ts';
import { parseMetadata, recordVersion } from '../lines/run-documents.ts';
import type { Json } from '../run-model.ts';
import type { RecordEnd } from './record-writer.ts';

/** A line of the record that stands as it was written. */
export interface RecordLine {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Without its end. Valid until the next lines are read. */
  readonly bytes: Buffer;
  readonly check: string;
  /** Name of the fact; null for a message. */
  readonly name: string | null;
}

/** First line of a record that is not as it was written. */
export interface BrokenLine {
  /** Place of the record: a path, or words for people. */
  readonly path: string;
  readonly line: number;
  /** Bytes before it. */
  readonly offset: number;
  /** Check of the line before it. */
  readonly previous: string;
  /** In words, of the line: "is not JSON". */
  readonly fault: string;
}

/** The place before the first line. */
export const recordStart: RecordEnd = { line: 0, check: '', size: 0 };

interface ReadRecordOptions {
  /** Default throws. */
  readonly onBroken?: ((broken: BrokenLine) => void) | undefined;
  /** End of a line in order, behind which the reading begins. Default the beginning. */
  readonly from?: RecordEnd | undefined;
}

/**
 * Reads the record of a run from its beginning, or behind `from`, to its end or to the first line that is broken; as many lines at
 * a time as are read at once. The lines come from anywhere, without their ends.
 * @param onBroken default throws
 * @throws {ContextStoreError} `damaged`, naming the line
 */
export async function* readChain(
  batches: AsyncIterable<readonly Buffer[]>,
  { path, onBroken = throwDamaged, from = recordStart }: ReadRecordOptions & Pick<BrokenLine, 'path'>,
): AsyncGenerator<readonly RecordLine[]> {
  let { line, check: previous, size: offset } = from;
  for await (const batch of batches) {
    const lines: RecordLine[] = [];
    for (const bytes of batch) {
      line += 1;
      const { isWhole, check } = readSeal(bytes, previous);
      if (!isWhole) {
        yield lines;
        return onBroken({ path, line, offset, previous, fault: altered });
      }
      offset += bytes.length + 1;
      previous = check;
      lines.push({ line, bytes, check, name: findFactName(bytes) });
    }
    yield lines;
  }
}

const altered = 'is not as it was written, or a line before it is missing';

function throwDamaged({ path, line, fault }: BrokenLine): never {
  const message = `Line ${line} of "${path}" ${fault}. Put the file back from a copy, or move the run's directory away.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

const factStart = '{"fact":"';
const quote = 0x22;

/** The name of the fact in a line; null for a message. */
export function findFactName(line: Buffer): string | null {
  const { length } = factStart;
  if (line.toString('latin1', 0, length) !== factStart) return null;
  return line.toString('latin1', length, line.indexOf(quote, length));
}

/** Reads a fact from its line. */
export function parseFact(text: string): FactEntry {
  const { fact, data, timestamp } = JSON.parse(text) as { fact: string; data: Json; timestamp: string };
  return { type: 'fact', name: fact, data, timestamp };
}

const openedStart = Buffer.from('{"fact":"opened",');
const currentStart = Buffer.from(`{"fact":"opened","data":{"version":${recordVersion},`);

/** Tells whether a record has lost its beginning, or is not there at all. */
export function lostBeginning(path: string): Promise<boolean> {
  return unlessMissing(
    withFile(path, 'r', async (file) => !(await hasBeginning(file, path))),
    true,
  );
}

/**
 * Tells whether the first line of a record says what the run is.
 * @throws {ContextStoreError} `other-version`
 */
export async function hasBeginning(file: FileHandle, path: string): Promise<boolean> {
  const length = currentStart.length;
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, 0);
  if (buffer.equals(currentStart)) return true;
  if (!buffer.subarray(0, openedStart.length).equals(openedStart)) return false;
  for await (const [line = Buffer.alloc(0)] of readLineBatches(path)) {
    // A damaged line says nothing of its version.
    if (readSeal(line, '').isWhole) parseMetadata(parseFact(line.toString()).data, `"${path}"`);
    break;
  }
  return true;
}

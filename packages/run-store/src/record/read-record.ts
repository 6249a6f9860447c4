import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';
import { readLineBatches } from '../disk/lines.ts';
import type { FactEntry } from '../journal-model.ts';
import type { Json } from '../run-model.ts';
import { readSeal } from './record-line.ts';

/** A line of the record that stands as it was written. */
export interface RecordLine {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly text: string;
  /** Length of the line with its end. */
  readonly bytes: number;
  readonly check: string;
}

/** First line of a record that is not as it was written. */
export interface BrokenLine {
  readonly path: string;
  readonly line: number;
  /** Bytes of the file before it. */
  readonly offset: number;
  /** Check of the line before it. */
  readonly previous: string;
  /** In words, of the line: "is not JSON". */
  readonly fault: string;
}

/**
 * Reads the record of a run from its beginning to its end, or to the first line that is broken. A last line without
 * its end is left out.
 * @param onBroken default throws
 * @throws {ContextStoreError} `damaged`, naming the line
 */
export async function* readRecord(
  path: string,
  onBroken: (broken: BrokenLine) => void = throwDamaged,
): AsyncGenerator<RecordLine> {
  const findFault = createChainReader();
  let line = 0;
  let offset = 0;
  let previous = '';
  for await (const batch of readLineBatches(path)) {
    for (const bytes of batch) {
      line += 1;
      const text = bytes.toString('utf8');
      const { fault, check } = findFault(text);
      if (fault !== null) return onBroken({ path, line, offset, previous, fault });
      offset += bytes.length + 1;
      previous = check;
      yield { line, text, bytes: bytes.length + 1, check };
    }
  }
}

interface ChainedLine {
  /** Null for a line in order. */
  readonly fault: string | null;
  readonly check: string;
}

/** Follows the chain of a record from its first line on. Lines of a version without checks have at least to count. */
function createChainReader(): (text: string) => ChainedLine {
  let check = '';
  let isChained = false;
  let lastSeq = 0;
  return (text) => {
    const seal = readSeal(text, check);
    check = seal.check;
    if (seal.isSealed) {
      isChained = true;
      return { fault: seal.isWhole ? null : altered, check };
    }
    lastSeq += 1;
    return { fault: isChained ? altered : findUnsealedFault(text, lastSeq), check };
  };
}

const altered = 'is not as it was written, or a line before it is missing';

const unsealedSchema = z.object({ seq: z.number(), timestamp: z.string() });

function findUnsealedFault(text: string, seq: number): string | null {
  try {
    const parsed = unsealedSchema.safeParse(JSON.parse(text));
    if (!parsed.success) return "is not a journal's line";
    return parsed.data.seq === seq ? null : `is message ${parsed.data.seq}, where message ${seq} belongs`;
  } catch {
    return 'is not JSON';
  }
}

function throwDamaged({ path, line, fault }: BrokenLine): never {
  const message = `Line ${line} of "${path}" ${fault}. Put the file back from a copy, or move the run's directory away.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

const factStart = '{"fact":"';

/** The name of the fact in a line; null for a message. */
export function findFactName(text: string): string | null {
  return text.startsWith(factStart)
    ? text.slice(factStart.length, text.indexOf('"', factStart.length))
    : null;
}

/** Reads a fact from its line. */
export function parseFact(text: string): FactEntry {
  const { fact, data, timestamp } = JSON.parse(text) as { fact: string; data: Json; timestamp: string };
  return { type: 'fact', name: fact, data, timestamp };
}

import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';
import { readTextLines } from '../disk/lines.ts';
import type { FactEntry } from '../journal-model.ts';
import type { Json } from '../run-model.ts';
import { readSeal } from './record-line.ts';

/** A line of the record: a message, still to be read, or a fact. */
export interface RecordLine {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly check: string;
  /** Null for a line that holds a message. */
  readonly fact: FactEntry | null;
  readonly value: unknown;
}

const factSchema = z.object({ fact: z.string(), data: z.unknown(), timestamp: z.string() });

/**
 * Reads the record of a run from its beginning. A last line without its end is left out.
 * @throws {ContextStoreError} `damaged`, naming the line that is no JSON, or whose check is not that of its text after
 *   the lines before it
 */
export async function* readRecord(path: string): AsyncGenerator<RecordLine> {
  let line = 0;
  let check = '';
  let isChained = false;
  for await (const text of readTextLines(path)) {
    line += 1;
    const place = { path, line };
    const seal = readSeal(text, check);
    const value = parseLine(text, place);
    if (!seal.isWhole || (isChained && !seal.isSealed)) throw isAltered(place);
    isChained = seal.isSealed;
    check = seal.check;
    yield { line, check, value, fact: toFact(value) };
  }
}

function toFact(value: unknown): FactEntry | null {
  if (typeof value !== 'object' || value === null || !('fact' in value)) return null;
  const parsed = factSchema.safeParse(value);
  if (!parsed.success) return null;
  const { fact, data, timestamp } = parsed.data;
  return { type: 'fact', name: fact, data: data as Json, timestamp };
}

interface LinePlace {
  readonly path: string;
  readonly line: number;
}

const advice = "Put the file back from a copy, or move the run's directory away.";

function parseLine(text: string, { path, line }: LinePlace): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `Line ${line} of "${path}" is not JSON. ${advice}`;
    throw new ContextStoreError(message, { code: 'damaged', cause: error });
  }
}

function isAltered({ path, line }: LinePlace): ContextStoreError {
  const message = `Line ${line} of "${path}" is not as it was written, or a line before it is missing. ${advice}`;
  return new ContextStoreError(message, { code: 'damaged' });
}

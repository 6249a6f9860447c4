import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { createKeyedTurns } from '@agent/text/waiting';
import { ContextStoreError } from '../context-store-error.ts';
import { isThere, readFileIfThere, withFile } from '../disk/files.ts';
import { dropTornEnd, hasNoHole, readLineBatches } from '../disk/lines.ts';
import { parseOrNull } from '../disk/stored-values.ts';
import type { Json } from '../journal-model.ts';
import { formatFact, readSeal, sealLine } from '../lines/record-line.ts';
import { parseMetadata, parseOutcome, type RunOutcome } from '../lines/run-documents.ts';
import { parseTaskState, type TaskState } from '../lines/task-state.ts';
import { type JournalFiles, toJournalFiles } from '../places.ts';
import type { RecordOwner } from '../ports.ts';
import type { RunMetadata } from '../run-model.ts';
import {
  type BrokenLine,
  hasBeginning,
  lostBeginning,
  parseFact,
  type RecordLine,
  readChain,
  recordStart,
} from './read-record.ts';
import { readRebuilt, rebuildRecord } from './rebuild-record.ts';
import type { RecordEnd } from './record-writer.ts';
import { createRunFacts, isRunFact, type KnownFacts, type RunFacts, readFactLines } from './run-facts.ts';

/** Options of reading a run's record. */
export interface ReadOptions {
  /** Tells which facts are wanted; null stands for messages. Default all. */
  readonly isWanted?: (name: string | null) => boolean;
  /** Default throws. */
  readonly onBroken?: ((broken: BrokenLine) => void) | undefined;
  /** Place behind which the reading begins. Default the beginning. */
  readonly from?: RecordEnd | undefined;
}

/** A line of a run's record. */
export interface RunLine {
  readonly line: number;
  readonly text: string;
  /** Name of the fact; null for a message. */
  readonly name: string | null;
}

/** The record of a run, wherever it is kept. */
export interface RecordSource {
  /** Place of its lines: a path, or words for people. */
  readonly location: string;
  /** Reads it, as many lines at a time as are read at once; changes nothing. */
  readonly readLines: (options?: ReadOptions) => AsyncGenerator<readonly RunLine[]>;
  /** The same with the chain of its lines. */
  readonly readChain: (
    options: Pick<ReadOptions, 'onBroken' | 'from'>,
  ) => AsyncGenerator<readonly RecordLine[]>;
  /** Tells whether its first lines are lost, so that it is rebuilt before the run continues. Default never. */
  readonly lostBeginning?: (() => Promise<boolean>) | undefined;
}

/** A record whose lines are read in batches, without their ends, from anywhere. */
export function createRecordSource(
  location: string,
  readBatches: (from: RecordEnd) => AsyncIterable<readonly Buffer[]>,
): RecordSource {
  const read: RecordSource['readChain'] = (options) =>
    readChain(readBatches(options.from ?? recordStart), { ...options, path: location });
  return {
    location,
    readChain: read,
    readLines: async function* ({ isWanted = () => true, ...options } = {}) {
      for await (const lines of read(options)) yield toRunLines(lines, isWanted);
    },
  };
}

/** The record among a run's files. */
export function toRecordSource(files: JournalFiles): RecordSource {
  return {
    ...createRecordSource(files.messages, (from) => readBatches(files, from)),
    lostBeginning: () => lostBeginning(files.messages),
  };
}

/** The lines of a record; of one that has lost its beginning, those that it is made again of. */
async function* readBatches(
  files: JournalFiles,
  { line, size }: RecordEnd,
): AsyncGenerator<readonly Buffer[]> {
  if (line > 0 || !(await lostBeginning(files.messages))) return yield* readLineBatches(files.messages, size);
  let previous = '';
  for await (const text of readRebuilt(files)) {
    const { bytes, check } = sealLine(text, { previous, owner: null });
    previous = check;
    yield [bytes.subarray(0, -1)];
  }
}

/** The lines that are wanted, as text. */
function toRunLines(
  lines: readonly RecordLine[],
  isWanted: NonNullable<ReadOptions['isWanted']>,
): readonly RunLine[] {
  const wanted = lines.filter(({ name }) => isWanted(name));
  return wanted.map(({ line, bytes, name }) => ({ line, text: bytes.toString(), name }));
}

const ignoreBroken = () => undefined;

/**
 * Reads what the facts of a run say, up to the first line that is broken.
 * @throws {ContextStoreError} `damaged` for a run of which nothing says what it is
 */
export async function readRunFacts(directory: string): Promise<KnownFacts> {
  const { facts, apply } = createRunFacts();
  const isWanted = (name: string | null) => name !== null && isRunFact(name);
  const { readLines } = toRecordSource(toJournalFiles(directory));
  for await (const batch of readLines({ isWanted, onBroken: ignoreBroken }))
    for (const { text } of batch) apply(parseFact(text));
  return requireFactsOf(directory, facts);
}

/** @throws {ContextStoreError} `damaged` for a record that does not say what it is, or another run's */
export function requireFactsOf(directory: string, facts: RunFacts): KnownFacts {
  const { metadata } = facts;
  if (metadata?.uuid === basename(directory)) return { ...facts, metadata };
  const says = metadata === null ? 'does not say what the run is' : `belongs to run ${metadata.uuid}`;
  const message = `The record of "${directory}" ${says}. Restore it from a copy, or move it away.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

/**
 * Reads what the facts of a run say. `lines`: their texts, in the order of the record.
 * @throws {ContextStoreError} `damaged` if no line says what the run is
 */
export function toRunFacts(uuid: string, lines: Iterable<string>): KnownFacts {
  return requireFactsOf(uuid, readFactLines(lines));
}

/**
 * Reads `metadata.json`, or what the record says where that is missing, unreadable or another run's.
 * @throws {ContextStoreError} `damaged` when neither says it
 */
export async function readMetadata(directory: string): Promise<RunMetadata> {
  const path = toJournalFiles(directory).metadata;
  const found = parseOrNull(await readFileIfThere(path), (json) => parseMetadata(json, `"${path}"`));
  return found?.uuid === basename(directory) ? found : (await readRunFacts(directory)).metadata;
}

/** The run's end; null while it has none. */
export async function readOutcome(directory: string): Promise<RunOutcome | null> {
  const found = parseOrNull(await readFileIfThere(toJournalFiles(directory).outcome), parseOutcome);
  return found ?? (await readRunFacts(directory)).outcome;
}

/** The run's pause; null for one that was never paused. */
export async function readTaskState(directory: string): Promise<TaskState | null> {
  const found = parseOrNull(await readFileIfThere(toJournalFiles(directory).taskState), parseTaskState);
  return found?.uuid === basename(directory) ? found : (await readRunFacts(directory)).pause;
}

interface WriteOptions {
  readonly owner: RecordOwner | null;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
}

/** Makes a record whole to its last line, and rebuilds one that has lost its beginning. For its owner alone. */
export function prepareRecord(files: JournalFiles, options: WriteOptions): Promise<number> {
  return withPrepared(files, options, async (_, { droppedBytes }) => droppedBytes);
}

type RecordTail = Awaited<ReturnType<typeof dropTornEnd>>;

/** Opens a prepared record, once for all that is done with its end. */
async function withPrepared<Result>(
  files: JournalFiles,
  options: WriteOptions,
  use: (file: FileHandle, tail: RecordTail) => Promise<Result>,
): Promise<Result> {
  const found = (await isThere(files.messages)) ? await withEnd(files.messages, use) : { droppedBytes: 0 };
  if ('result' in found) return found.result;
  await rebuildRecord(files, { owner: options.owner?.number ?? null, timestamp: options.timestamp() });
  const { droppedBytes } = found;
  return withPrepared(files, options, (file, tail) => use(file, { ...tail, droppedBytes }));
}

/** Repairs the end of a record, and uses it where it has its beginning. */
function withEnd<Result>(
  path: string,
  use: (file: FileHandle, tail: RecordTail) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly droppedBytes: number }> {
  return withFile(path, constants.O_RDWR | constants.O_APPEND, async (file) => {
    // Asked first: of a record of another version not a byte is dropped.
    await hasBeginning(file, path);
    const tail = await dropTornEnd(file, { isWhole: hasNoHole });
    return (await hasBeginning(file, path)) ? { result: await use(file, tail) } : tail;
  });
}

/** One for the process, whose files they are. */
const inTurnOf = createKeyedTurns();

/**
 * Appends a fact, synced, to the record of a run that is not open, after reading no more of it than its last line.
 * Resolves with the bytes of a torn last line that were dropped.
 */
export function appendToRecord(
  files: JournalFiles,
  fact: { readonly name: string; readonly data: Json; readonly timestamp?: string | undefined },
  options: WriteOptions,
): Promise<number> {
  const { owner, timestamp } = options;
  const append = () =>
    withPrepared(files, options, async (file, { last, droppedBytes }) => {
      const body = formatFact({ ...fact, timestamp: fact.timestamp ?? timestamp() });
      const previous = last === null ? '' : readSeal(last, '').check;
      const { bytes } = sealLine(body, { previous, owner: owner?.number ?? null });
      await file.writeFile(bytes);
      await file.sync();
      return droppedBytes;
    });
  return inTurnOf(files.directory, append);
}

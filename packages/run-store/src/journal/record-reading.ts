import { ContextStoreError } from '../context-store-error.ts';
import type { FactEntry, JournalEntry, MessageLike } from '../journal-model.ts';
import { type ProjectedLine, projectContext } from '../lines/context-lines.ts';
import { sliceMessageLine } from '../lines/message-line.ts';
import { planningFact, toPlanningFileLine } from '../lines/planning-line.ts';
import { sliceProjectedLine } from '../lines/record-line.ts';
import type { StoredSummary } from '../lines/summary-line.ts';
import type { RecordDamage } from '../ports.ts';
import { damageFact, parseDamage } from '../record/damage.ts';
import { type BrokenLine, parseFact, type RecordLine, recordStart } from '../record/read-record.ts';
import type { RecordEnd } from '../record/record-writer.ts';
import {
  createRunFacts,
  isRunFact,
  isToolFact,
  parseSummaryFact,
  type RunFacts,
} from '../record/run-facts.ts';
import { type RecordSource, type RunLine, requireFactsOf } from '../record/run-record.ts';
import { createCrashCounter } from './count-crashes.ts';
import { isJournalLine, type KeptEntries, parseJournalEntry } from './read-journal.ts';

/** A record as it was found, and what is counted on from there: no append has to read a file. */
export interface LoadedRecord<Message> {
  lastSeq: number;
  toolLines: number;
  summaries: number;
  /** Estimated tokens of each message, by number. */
  readonly tokens: Map<number, number>;
  readonly facts: RunFacts;
  readonly applyFact: (fact: FactEntry) => void;
  /** Processes in a row that died with this run. */
  readonly crashesInARow: number;
  /** Damage since which no message was written. */
  readonly damage: RecordDamage | null;
  readonly end: RecordEnd;
  /** Entries of the journal up to `end`, for whoever replays it; null once the run goes on, as they are kept no longer. */
  kept: KeptEntries<Message> | null;
}

/** Contents of the files of lines beside a record, as it says them. */
export interface ProjectedFiles {
  readonly current: string;
  readonly tools: string;
  readonly summaries: string;
  readonly planning: string;
}

/** A record as far as it was read: whoever needs what it says takes it from here, instead of reading it again. */
export interface RecordReading<Message> {
  /** Reads on from where it stopped, in the record where it lies now. Resolves with the first line that is broken. */
  readonly readOn: (record: RecordSource) => Promise<BrokenLine | null>;
  /** @throws {ContextStoreError} `damaged` for a line that is none of a journal */
  readonly listEntries: () => readonly JournalEntry<Message>[];
  readonly facts: RunFacts;
  readonly toLoaded: () => LoadedRecord<Message>;
  readonly project: () => ProjectedFiles;
}

/** Begins to read a record: its facts, its counts, and what the files beside it are to say. */
export function createRecordReading<Message extends MessageLike>({
  parseMessage,
}: {
  readonly parseMessage: (json: unknown) => Message;
}): RecordReading<Message> {
  const { facts, apply } = createRunFacts();
  const crashes = createCrashCounter();
  const entries = createEntries(parseMessage);
  const messages: (ProjectedLine & { readonly tokens: number })[] = [];
  const summaries: StoredSummary[] = [];
  const tools: string[] = [];
  const summaryLines: string[] = [];
  const planning: string[] = [];
  let damage: RecordDamage | null = null;
  let end = recordStart;

  function addMessage({ line, text }: RunLine, path: string): void {
    const message = sliceMessageLine(text, { parseMessage, path, line });
    crashes.addMessage(() => JSON.parse(text));
    messages.push({ ...message, seq: messages.length + 1 });
    damage = null;
  }

  function addFact(name: string, text: string): void {
    const fact = parseFact(text);
    apply(fact);
    crashes.addFact(fact);
    if (name === damageFact) damage = parseDamage(fact.data);
    if (name !== 'summary') return;
    summaries.push(parseSummaryFact(fact));
    summaryLines.push(sliceProjectedLine(text));
  }

  function add({ line, check, bytes, name }: RecordLine, location: string): void {
    end = { line, check, size: end.size + bytes.length + 1 };
    const text = bytes.toString();
    if (isJournalLine(name)) entries.add({ line, text, name }, location);
    if (name === null) addMessage({ line, text, name }, location);
    else if (isToolFact(name)) tools.push(sliceProjectedLine(text));
    else if (name === planningFact) planning.push(toPlanningFileLine(parseFact(text), facts.metadata));
    else if (isReadFact(name)) addFact(name, text);
  }

  return {
    facts,
    listEntries: entries.list,
    readOn: async ({ location, readChain }) => {
      const broken: BrokenLine[] = [];
      const onBroken = (found: BrokenLine) => void broken.push(found);
      for await (const lines of readChain({ onBroken, from: end }))
        for (const line of lines) add(line, location);
      return broken[0] ?? null;
    },
    project: () => {
      const standing = summaries.filter(({ isFinal }) => !isFinal).map(({ summary }) => summary);
      const current = projectContext(messages, standing);
      return {
        current,
        tools: tools.join(''),
        summaries: summaryLines.join(''),
        planning: planning.join(''),
      };
    },
    toLoaded: () => {
      const tokens = new Map(messages.map(({ seq, tokens }) => [seq, tokens]));
      const counted = { lastSeq: messages.length, toolLines: tools.length, summaries: summaries.length };
      const crashesInARow = crashes.crashesInARow();
      const kept = { list: entries.list, end };
      return { ...counted, tokens, facts, applyFact: apply, crashesInARow, damage, end, kept };
    },
  };
}

function isReadFact(name: string): boolean {
  return isRunFact(name) || ['owned', 'left', 'summary', damageFact].includes(name);
}

/** Parses lines when they are asked for the first time: who only settles a run needs none of them. */
function createEntries<Message>(parseMessage: (json: unknown) => Message) {
  let lines: { readonly line: RunLine; readonly location: string }[] = [];
  const entries: JournalEntry<Message>[] = [];
  return {
    add: (line: RunLine, location: string) => void lines.push({ line, location }),
    list: (): readonly JournalEntry<Message>[] => {
      const parsed = lines.map(({ line, location }) => parseJournalEntry(line, { location, parseMessage }));
      entries.push(...parsed.filter((entry) => entry !== null));
      lines = [];
      return entries;
    },
  };
}

interface ReadRecord<Message> {
  readonly reading: RecordReading<Message>;
  /** First line that is broken, where the reading ended; null for a record in order. */
  readonly broken: BrokenLine | null;
}

/**
 * Reads the record of a run to its end, each line of it parsed; changes nothing.
 * @throws {ContextStoreError} `damaged` if it is not a record of this run, up to the first line that is broken
 */
export async function readWholeRecord<Message extends MessageLike>(
  record: RecordSource,
  { uuid, ...options }: { readonly uuid: string; readonly parseMessage: (json: unknown) => Message },
): Promise<ReadRecord<Message>> {
  const reading = createRecordReading(options);
  const broken = await reading.readOn(record);
  reading.listEntries();
  if (broken === null) requireFactsOf(uuid, reading.facts);
  return { reading, broken };
}

/** Takes a message as it is. */
export const anyMessage = (json: unknown) => json as MessageLike;

/** @throws {ContextStoreError} `damaged` for a record of a run that does not read back to its end */
export async function requireReadable(record: RecordSource, uuid: string): Promise<void> {
  const { broken } = await readWholeRecord(record, { uuid, parseMessage: anyMessage });
  if (broken === null) return;
  const message = `Line ${broken.line} of "${record.location}" ${broken.fault}.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

interface VerifyOptions {
  readonly uuid: string;
  /** Says what to do about a fault. */
  readonly advice: string;
}

/** Verifies the record of a run, in any medium. Resolves with what is wrong with it, or with what was read. */
export async function verifyRecord(
  record: RecordSource,
  { uuid, advice }: VerifyOptions,
): Promise<string | RecordReading<MessageLike>> {
  const { location } = record;
  try {
    if (await record.lostBeginning?.())
      return `The first line of "${location}" is missing or damaged. ${advice}`;
    const { reading, broken } = await readWholeRecord(record, { uuid, parseMessage: anyMessage });
    return broken === null ? reading : `Line ${broken.line} of "${location}" ${broken.fault}. ${advice}`;
  } catch (error) {
    if (ContextStoreError.isInstance(error) && ['damaged', 'other-version'].includes(error.code))
      return error.message;
    // zod and JSON throw these for a fact that does not say what it must.
    if (error instanceof Error && /ZodError$|SyntaxError/.test(error.name))
      return `"${location}" has a line that is not valid. ${advice}`;
    throw error;
  }
}

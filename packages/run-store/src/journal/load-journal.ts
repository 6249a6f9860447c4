import type { Logger } from '@agent/text';
import { readFileIfThere } from '../disk/files.ts';
import { readLastLines } from '../disk/lines.ts';
import { parseOutcome } from '../file/run-documents.ts';
import type { FactEntry, Json, MessageLike } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import { planningFact, toPlanningFileLine } from '../planning/planning-line.ts';
import type { RecordDamage, RecordOwner } from '../ports.ts';
import { cutRecord, damageFact, parseDamage, toLostDamage } from '../record/damage.ts';
import { type BrokenLine, parseFact, type RecordLine, readRecord } from '../record/read-record.ts';
import { sliceProjectedLine } from '../record/record-line.ts';
import type { RecordEnd } from '../record/record-writer.ts';
import {
  createRunFacts,
  isRunFact,
  isToolFact,
  parseSummaryFact,
  type RunFacts,
} from '../record/run-facts.ts';
import { appendToRecord, prepareRecord } from '../record/run-record.ts';
import { type ProjectedLine, projectContext } from './context-lines.ts';
import { createCrashCounter } from './count-crashes.ts';
import { sliceMessageLine } from './message-line.ts';
import type { StoredSummary } from './summary-line.ts';
import { parseToolLine, type ToolEntry } from './tool-line.ts';

/** A record as it was found, and what is counted on from there: no append has to read a file. */
export interface LoadedRecord {
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
  /** Contents of the files of lines, as the record says them. */
  readonly projected: Readonly<Record<'current' | 'tools' | 'summaries' | 'planning', string>>;
}

interface LoadOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
  readonly logger: Logger | null;
  readonly owner: RecordOwner | null;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
  /** Data of the fact that a process opens the run; null where none does. */
  readonly opening: Json;
  /** Called once that is on the disk. */
  readonly onOpening?: (() => void) | undefined;
}

/** Repairs what a crash or a disk left of a record, notes who opens it, and reads it to its end. */
export async function loadRecord<Message extends MessageLike>(
  files: JournalFiles,
  options: LoadOptions<Message>,
): Promise<LoadedRecord> {
  const { owner } = options;
  const droppedBytes = await begin(files, options);
  if (droppedBytes > 0)
    options.logger?.warn({ path: files.messages, droppedBytes }, 'dropped a torn last line');
  const { broken, loaded } = await readWhole(files, options);
  if (broken !== null) {
    options.logger?.error({ ...broken }, 'a journal is damaged; it goes on from what stands before');
    const cut = { owner: owner?.number ?? null, timestamp: options.timestamp() };
    await cutRecord(broken, cut);
    // That it is opened was cut off, too.
    return loadRecord(files, options);
  }
  const lost = loaded.damage === null ? await findLost(files, loaded) : null;
  if (lost === null) return loaded;
  options.logger?.error(
    { path: files.messages },
    'a journal has lost its last lines; it goes on without them',
  );
  await appendToRecord(files, { ...options, name: damageFact, data: lost });
  return loadRecord(files, { ...options, opening: null });
}

/** Repairs the end of the record, and notes who opens it. */
async function begin<Message>(files: JournalFiles, options: LoadOptions<Message>): Promise<number> {
  const { opening, onOpening } = options;
  if (opening === null) return prepareRecord(files, options);
  // Before it is read: a process that dies of reading it has died with it.
  const droppedBytes = await appendToRecord(files, { ...options, name: 'owned', data: opening });
  onOpening?.();
  return droppedBytes;
}

async function readWhole<Message extends MessageLike>(
  files: JournalFiles,
  { parseMessage }: LoadOptions<Message>,
): Promise<{ readonly broken: BrokenLine | null; readonly loaded: LoadedRecord }> {
  const { facts, apply } = createRunFacts();
  const crashes = createCrashCounter();
  const messages: (ProjectedLine & { readonly tokens: number })[] = [];
  const summaries: StoredSummary[] = [];
  const tools: string[] = [];
  const summaryLines: string[] = [];
  const planning: string[] = [];
  let damage: RecordDamage | null = null;
  const broken: BrokenLine[] = [];
  let end: RecordEnd = { line: 0, check: '', size: 0 };
  const add = ({ line, check, bytes, name }: RecordLine) => {
    end = { line, check, size: end.size + bytes.length + 1 };
    if (name === null) {
      const text = bytes.toString();
      const message = sliceMessageLine(text, { parseMessage, path: files.messages, line });
      crashes.addMessage(() => JSON.parse(text));
      messages.push({ ...message, seq: messages.length + 1 });
      damage = null;
    } else if (isToolFact(name)) tools.push(sliceProjectedLine(bytes.toString()));
    else if (name === planningFact)
      planning.push(toPlanningFileLine(parseFact(bytes.toString()), facts.metadata));
    else if (isReadFact(name)) {
      const text = bytes.toString();
      const fact = parseFact(text);
      apply(fact);
      crashes.addFact(fact);
      if (name === damageFact) damage = parseDamage(fact.data);
      if (name !== 'summary') return;
      summaries.push(parseSummaryFact(fact));
      summaryLines.push(sliceProjectedLine(text));
    }
  };
  for await (const lines of readRecord(files.messages, (found) => void broken.push(found)))
    lines.forEach(add);
  const standing = summaries.filter(({ isFinal }) => !isFinal).map(({ summary }) => summary);
  const projected = {
    current: projectContext(messages, standing),
    tools: tools.join(''),
    summaries: summaryLines.join(''),
    planning: planning.join(''),
  };
  const tokens = new Map(messages.map(({ seq, tokens }) => [seq, tokens]));
  const counted = { lastSeq: messages.length, toolLines: tools.length, summaries: summaries.length };
  const crashesInARow = crashes.crashesInARow();
  const loaded = { ...counted, tokens, facts, applyFact: apply, crashesInARow, damage, end, projected };
  return { broken: broken[0] ?? null, loaded };
}

function isReadFact(name: string): boolean {
  return isRunFact(name) || ['owned', 'left', 'summary', damageFact].includes(name);
}

/** Lines in which calls of tools are looked for that the record does not hold. */
const maxLost = 200;

/** Finds what other files tell of that the record does not: they are written after it, so that it has lost lines. */
async function findLost(files: JournalFiles, { toolLines, facts, end }: LoadedRecord): Promise<Json> {
  const lost = await findLostTools(files, toolLines);
  const outcome = facts.outcome ?? parseOrNull(await readFileIfThere(files.outcome), parseOutcome);
  const ended = facts.outcome === null && outcome?.status !== 'paused' ? (outcome?.status ?? null) : null;
  if (lost.length === 0 && ended === null) return null;
  return toLostDamage(end.line + 1, { tools: lost.filter(({ status }) => status === 'started'), ended });
}

/** The lines are in the order of their numbers: where the newest is none of the lost ones, there are none. */
async function findLostTools({ tools }: JournalFiles, toolLines: number): Promise<readonly ToolEntry[]> {
  const read = async (limit: number) =>
    (await readLastLines(tools, limit)).flatMap((line) => parseOrNull(line, parseToolLine) ?? []);
  const [newest] = await read(1);
  if (newest !== undefined && newest.seq <= toolLines) return [];
  return (await read(maxLost)).filter(({ seq }) => seq > toolLines);
}

function parseOrNull<Parsed>(text: string | null, parse: (json: unknown) => Parsed): Parsed | null {
  try {
    return text === null ? null : parse(JSON.parse(text));
  } catch {
    return null;
  }
}

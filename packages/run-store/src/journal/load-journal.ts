import type { Logger } from '@agent/text';
import { readFileIfThere } from '../disk/files.ts';
import { readLastLines } from '../disk/lines.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { parseOutcome } from '../lines/run-documents.ts';
import { parseToolLine, type ToolEntry } from '../lines/tool-line.ts';
import type { JournalFiles } from '../places.ts';
import type { RecordOwner } from '../ports.ts';
import { cutRecord, damageFact, toLostDamage } from '../record/damage.ts';
import { rebuildRecord } from '../record/rebuild-record.ts';
import { appendToRecord, prepareRecord, toRecordSource } from '../record/run-record.ts';
import {
  createRecordReading,
  type LoadedRecord,
  type ProjectedFiles,
  type RecordReading,
} from './record-reading.ts';

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
  /** The record as far as it was read already, in order. Default none of it. */
  readonly reading?: RecordReading<Message> | undefined;
}

interface FoundRecord<Message> {
  readonly loaded: LoadedRecord<Message>;
  readonly projected: ProjectedFiles;
}

/** Repairs what a crash or a disk left of a record, notes who opens it, and reads it to its end. */
export async function loadRecord<Message extends MessageLike>(
  files: JournalFiles,
  options: LoadOptions<Message>,
): Promise<FoundRecord<Message>> {
  const { owner, logger, reading = createRecordReading(options) } = options;
  const droppedBytes = await begin(files, options);
  if (droppedBytes > 0) logger?.warn({ path: files.messages, droppedBytes }, 'dropped incomplete last line');
  const broken = await reading.readOn(toRecordSource(files));
  if (broken !== null) {
    logger?.error({ ...broken }, 'truncating damaged journal');
    const cut = { owner: owner?.number ?? null, timestamp: options.timestamp() };
    await (broken.line === 1 ? rebuildRecord(files, cut) : cutRecord(broken, cut));
    // That it is opened was cut off, too.
    return loadRecord(files, { ...options, reading: undefined });
  }
  const loaded = reading.toLoaded();
  const lost = loaded.damage === null ? await findLost(files, loaded) : null;
  if (lost === null) return { loaded, projected: reading.project() };
  logger?.error({ path: files.messages }, 'journal lost its last lines; continuing without them');
  await appendToRecord(files, { ...options, name: damageFact, data: lost });
  return loadRecord(files, { ...options, opening: null, reading });
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

/** Lines in which calls of tools are looked for that the record does not hold. */
const maxLost = 200;

/** Finds what other files tell of that the record does not: they are written after it, so that it has lost lines. */
async function findLost(
  files: JournalFiles,
  { toolLines, facts, end }: LoadedRecord<unknown>,
): Promise<Json> {
  const lost = await findLostTools(files, toolLines);
  const outcome = facts.outcome ?? parseOrNull(await readFileIfThere(files.outcome), parseOutcome);
  const ended =
    facts.outcome === null && outcome?.status !== 'needs_input' ? (outcome?.status ?? null) : null;
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

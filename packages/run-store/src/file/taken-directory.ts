import { basename } from 'node:path';
import type { Logger } from '@agent/text';
import { readFileIfThere } from '../disk/files.ts';
import { readLastLines } from '../disk/lines.ts';
import { parseOrNull } from '../disk/stored-values.ts';
import type { TakenRun } from '../driver.ts';
import type { LoadedJournal } from '../journal/loaded-journal.ts';
import type { LoadedRecord } from '../journal/record-reading.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { parseOutcome } from '../lines/run-documents.ts';
import { parseToolLine, type ToolEntry } from '../lines/tool-line.ts';
import { type JournalFiles, toJournalFiles } from '../places.ts';
import type { RecordOwner } from '../ports.ts';
import { cutRecord, toLostDamage } from '../record/damage.ts';
import { rebuildRecord } from '../record/rebuild-record.ts';
import { createRecordWriter } from '../record/record-writer.ts';
import { appendToRecord, prepareRecord, toRecordSource } from '../record/run-record.ts';
import { openRecord } from '../store/open-record.ts';
import { createFilesBeside, openFiles } from './files-beside.ts';

/** What a store in files writes with. */
export interface DirectoryOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
  /** Owner of the directory: its number is in each line, and its guard lets no earlier owner write. Default none. */
  readonly owner?: RecordOwner | null | undefined;
  /** Called after each write that reached the disk, before the caller receives its result. Tests stop a process here. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/** Which file of which run reached the disk. */
export interface SyncedWrite {
  readonly uuid: string;
  readonly file: string;
}

/** Takes the run in a directory, whose owner alone may call this. */
export function takeDirectory(directory: string, options: DirectoryOptions): TakenRun {
  const { now = Date.now, logger = null, owner = null } = options;
  const uuid = basename(directory);
  const files = toJournalFiles(directory);
  const timestamp = () => new Date(now()).toISOString();
  const synced = (path: string) => options.afterSync?.({ uuid, file: basename(path) });
  const onAppended = () => synced(files.messages);
  return {
    ...{ uuid, location: directory, record: toRecordSource(files) },
    begin: async (fact) => {
      const write = { owner, timestamp };
      const droppedBytes =
        fact === null ? await prepareRecord(files, write) : await appendToRecord(files, fact, write);
      if (fact !== null) onAppended();
      if (droppedBytes > 0)
        logger?.warn({ path: files.messages, droppedBytes }, 'dropped incomplete last line');
    },
    cut: async (broken) => {
      const cut = { owner: owner?.number ?? null, timestamp: timestamp() };
      await (broken.line === 1 ? rebuildRecord(files, cut) : cutRecord(broken, cut));
    },
    findLost: (loaded) => findLost(files, loaded),
    openWriter: async ({ facts, end }, projected) => {
      const follower = createFilesBeside(files, { facts, logger, onOutcome: () => synced(files.outcome) });
      await follower.project(projected());
      const more = { end, files: openFiles, owner: owner?.number ?? null, onAppended };
      return { record: createRecordWriter(files.messages, more), follower };
    },
  };
}

interface OpenDirectoryOptions<Message> extends DirectoryOptions {
  readonly parseMessage: (json: unknown) => Message;
}

/** Opens the record in a directory without a note that a process does, and writes the files beside it again. */
export function openDirectory<Message extends MessageLike>(
  directory: string,
  options: OpenDirectoryOptions<Message>,
): Promise<LoadedJournal<Message>> {
  const { parseMessage, logger = null, now = Date.now } = options;
  const timestamp = () => new Date(now()).toISOString();
  return openRecord(takeDirectory(directory, options), { parseMessage, logger, timestamp, opening: null });
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

import type { Logger } from '@agent/text';
import { translated } from '../context-store-error.ts';
import type { TakenRun } from '../driver.ts';
import { createJournalWriter } from '../journal/journal-writer.ts';
import { createLoadedJournal, type LoadedJournal } from '../journal/loaded-journal.ts';
import { readJournal } from '../journal/read-journal.ts';
import { createRecordReading, type RecordReading, readWholeRecord } from '../journal/record-reading.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { damageFact } from '../record/damage.ts';
import type { RecordSource } from '../record/run-record.ts';

/** Options of opening a record. */
export interface OpenRecordOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
  readonly logger: Logger | null;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
  /** Data of the fact that a process opens the run; null if no process does. */
  readonly opening: Json;
  /** The record as far as it was read already. Default nothing. */
  readonly reading?: RecordReading<Message> | null | undefined;
}

/**
 * Opens the record of a run that was taken: repairs what a crash or the medium left of it, reads it once, and appends
 * without ever reading again.
 * @throws {ContextStoreError} `damaged` or `storage-…`
 */
export function openRecord<Message extends MessageLike>(
  run: TakenRun,
  options: OpenRecordOptions<Message>,
): Promise<LoadedJournal<Message>> {
  return translated(open(run, options), `open the journal in "${run.location}"`);
}

async function open<Message extends MessageLike>(
  run: TakenRun,
  options: OpenRecordOptions<Message>,
): Promise<LoadedJournal<Message>> {
  const { location, record: source } = run;
  const { parseMessage, timestamp } = options;
  const reading = await readToEnd(run, options);
  const loaded = reading.toLoaded();
  const writer = createJournalWriter({
    ...(await run.openWriter(loaded, reading.project)),
    ...{ loaded, timestamp },
  });
  return createLoadedJournal<Message>({ loaded, writer, source, parseMessage, location });
}

async function readToEnd<Message extends MessageLike>(
  run: TakenRun,
  options: OpenRecordOptions<Message>,
): Promise<RecordReading<Message>> {
  const { opening, logger } = options;
  const reading = options.reading ?? createRecordReading(options);
  // Before it is read: a process that crashes while it reads has crashed with this run.
  await run.begin(opening === null ? null : { name: 'owned', data: opening });
  const broken = await reading.readOn(run.record);
  if (broken !== null) {
    logger?.error({ ...broken }, 'truncating damaged journal');
    await run.cut(broken, reading.facts.states);
    // The fact that it is opened was cut off, too.
    return readToEnd(run, { ...options, reading: null });
  }
  const loaded = reading.toLoaded();
  const lost = loaded.damage === null ? ((await run.findLost?.(loaded)) ?? null) : null;
  if (lost === null) return reading;
  logger?.error({ path: run.record.location }, 'journal lost its last lines; continuing without them');
  await run.begin({ name: damageFact, data: lost });
  return readToEnd(run, { ...options, opening: null, reading });
}

/**
 * Reads a record whole, each message of it parsed; changes nothing. Null for a record that has to be repaired before the
 * run continues, so that this reading is of no use then.
 * @throws {ContextStoreError} `damaged` if it is not a record of this run, up to the first line that is broken
 */
export async function readWhole<Message extends MessageLike>(
  record: RecordSource,
  { uuid, ...options }: { readonly uuid: string; readonly parseMessage: (json: unknown) => Message },
): Promise<RecordReading<Message> | null> {
  if (await record.lostBeginning?.()) {
    for await (const _ of readJournal(record, { ...options, onBroken: () => undefined }));
    return null;
  }
  const { reading, broken } = await readWholeRecord(record, { uuid, ...options });
  return broken === null ? reading : null;
}

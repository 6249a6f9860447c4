import type { Logger } from '@agent/text';
import { createLoadedJournal, type LoadedJournal } from '../journal/file-run-journal.ts';
import { createJournalWriter } from '../journal/journal-writer.ts';
import { createRecordReading, type RecordReading } from '../journal/record-reading.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { formatFact } from '../lines/record-line.ts';
import type { RecordPosition } from '../ports.ts';
import { damageFact, toCutDamage } from '../record/damage.ts';
import type { BrokenLine } from '../record/read-record.ts';
import { openRecordRows, requireRowVersion } from './record-rows.ts';
import { createRowWriter, sealText } from './row-writer.ts';
import type { RunRows, Writer } from './run-rows.ts';
import type { Schema } from './schema.ts';

/** Parts that all openings of a store have in common. */
export interface OpenRowsOptions<Message> {
  readonly schema: Schema;
  readonly rows: RunRows;
  readonly parseMessage: (json: unknown) => Message;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
  /** Called once another opening writes to the run. */
  readonly onTaken: (uuid: string) => void;
  readonly logger: Logger | null;
}

interface Opening<Message> {
  readonly writer: Writer;
  /** The end that was found when the run was taken. */
  readonly end: RecordPosition;
  /** Data of the fact that a process opens the run; null for a run that begins. */
  readonly opening: Json;
  /** The record as far as it was read already, in order. Default none of it. */
  readonly reading?: RecordReading<Message> | null | undefined;
}

/** Opens the record of a run that was just taken: notes that, reads it, and cuts off what is broken. */
export async function openRows<Message extends MessageLike>(
  { writer, end, opening, reading }: Opening<Message>,
  options: OpenRowsOptions<Message>,
): Promise<LoadedJournal<Message>> {
  const { schema, rows, parseMessage, timestamp, logger } = options;
  const source = openRecordRows(schema, writer.uuid);
  const onTaken = () => options.onTaken(writer.uuid);
  const record = createRowWriter(rows, { writer, end, onTaken });
  if (opening !== null) {
    await requireRowVersion(schema, writer.uuid);
    // Before it is read: a process that dies of reading it has died with it.
    await record.append(formatFact({ name: 'owned', data: opening, timestamp: timestamp() }));
  }
  const found = reading ?? createRecordReading({ parseMessage });
  const broken = await found.readOn(source);
  if (broken !== null) {
    logger?.error({ ...broken }, 'truncating damaged journal');
    const cut = await cutRows(broken, { writer, states: found.facts.states, ...options });
    // That it is opened was cut off, too.
    return openRows({ writer, end: cut, opening }, options);
  }
  const loaded = found.toLoaded();
  const location = source.location;
  return createLoadedJournal<Message>({
    ...{ loaded, source, parseMessage, location },
    writer: createJournalWriter({ record, loaded, timestamp }),
  });
}

interface CutOptions extends Pick<OpenRowsOptions<never>, 'rows' | 'timestamp'> {
  readonly writer: Writer;
  /** Values that stand before the cut. */
  readonly states: ReadonlyMap<string, unknown>;
}

/** Cuts the record, and resolves with its end, which says so. */
async function cutRows(
  broken: BrokenLine,
  { rows, timestamp, writer, states }: CutOptions,
): Promise<RecordPosition> {
  const { line, previous } = broken;
  const { cut, texts } = await rows.readCut(writer.uuid, line);
  const data = await toCutDamage(broken, { file: `cut_lines, cut ${cut}`, texts });
  const body = formatFact({ name: damageFact, data, timestamp: timestamp() });
  const next = sealText(body, { line: line - 1, check: previous, owner: writer.owner });
  const kept = [...states].map(([name, value]) => [name, JSON.stringify(value)]);
  await rows.cut(writer, { cut, next, states: JSON.stringify(Object.fromEntries(kept)) });
  return next;
}

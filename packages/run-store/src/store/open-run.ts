import { translated } from '../context-store-error.ts';
import type { RunDriver, TakenRun } from '../driver.ts';
import type { LoadedJournal } from '../journal/loaded-journal.ts';
import { readJournal } from '../journal/read-journal.ts';
import type { Json } from '../journal-model.ts';
import { type StoredSummary, type SummaryPlace, toFinalSummaryLine } from '../lines/summary-line.ts';
import type { EndedRun, FinalSummaries, OpenRun } from '../ports.ts';
import { parseFact } from '../record/read-record.ts';
import { parseSummaryFact } from '../record/run-facts.ts';
import { type RecordSource, requireFactsOf } from '../record/run-record.ts';
import type { FinalSummaryState } from '../run-model.ts';
import { requireUuid } from '../storage-names.ts';
import { isMissing } from './run-errors.ts';

interface Opened<Message> {
  readonly loaded: LoadedJournal<Message>;
  /** Journal of the last opening of this run; null once the run was put away. */
  readonly newest: () => LoadedJournal<Message> | null;
}

/** A run that was taken and read, ready to be written to. @throws {ContextStoreError} `damaged` if nothing says what it is */
export function toOpenRun<Message>(
  driver: RunDriver,
  { uuid, location, record, release }: TakenRun,
  { loaded, newest }: Opened<Message>,
): OpenRun<Message> {
  const { outbox, damage, position, crashesInARow, facts } = loaded;
  const { metadata } = requireFactsOf(uuid, facts);
  const leave = async () => {
    const last = newest();
    if (last === null || (await driver.find(uuid))?.place !== 'running') return;
    await last.leave();
    await last.settle();
    release?.();
  };
  return {
    ...{ metadata, outbox, damage, position, crashesInARow },
    // The end of a run must not be lost, even if it was opened again since.
    journal: { ...loaded.journal, finish: (end, more) => (newest() ?? loaded).journal.finish(end, more) },
    state: driver.openState(uuid, {
      append: loaded.appendFact,
      isKept: (name) => facts.states.has(name),
      isOpen: true,
    }),
    finalSummary: {
      ...createFinalSummaryReader(record),
      append: (summary, { now }) => loaded.appendFinalSummary(summary, new Date(now).toISOString()),
    },
    leave: () => translated(leave(), `leave the run in "${location}"`),
  };
}

interface EndedRunOptions<Message> {
  readonly uuid: string;
  readonly parseMessage: (json: unknown) => Message;
}

/**
 * Opens a run that has ended. A summary that is appended puts it into the index again.
 * @throws {ContextStoreError} `invalid` if no run of this uuid has ended
 */
export async function openEndedRun<Message>(
  driver: RunDriver,
  { uuid, parseMessage }: EndedRunOptions<Message>,
): Promise<EndedRun<Message>> {
  requireUuid(uuid);
  const run = await driver.find(uuid);
  if (run?.place !== 'completed') throw isMissing(uuid, driver.locate('completed'));
  const { record, readFacts } = run;
  const append: FinalSummaries['append'] = async (summary, { now }) => {
    const data = toFinalSummaryLine(summary, await findSummaryPlace(record)) as Json;
    await run.append({ name: 'summary', data, timestamp: new Date(now).toISOString() });
    await driver.project?.(uuid);
    await driver.index(await readFacts());
  };
  return {
    metadata: (await readFacts()).metadata,
    journal: { read: ({ facts } = {}) => readJournal(record, { parseMessage, facts }) },
    finalSummary: { ...createFinalSummaryReader(record), append },
  };
}

/**
 * Tells whether the run of this record has its final summary; null for a run without messages, or with those of an
 * earlier program, which cannot be read back.
 */
export function createFinalSummaryReader(record: RecordSource): Pick<FinalSummaries, 'read'> {
  return { read: () => translated(readState(record), `read the final summary in "${record.location}"`) };
}

async function readState(record: RecordSource): Promise<FinalSummaryState | null> {
  const { lastMessage, summaries, place } = await readMessages(record);
  if (lastMessage === null || !isReadable(lastMessage)) return null;
  const final = summaries.filter(({ isFinal }) => isFinal);
  return {
    isThere: final.length > 0,
    isUpToDate: final.some(({ summary }) => summary.endSeq === place.afterSeq),
    usages: final.flatMap(({ summary }) => summary.usage ?? []),
  };
}

function isReadable(line: string): boolean {
  const { message } = JSON.parse(line) as { message?: unknown };
  return typeof message === 'object' && message !== null;
}

/** Place of a final summary of the run of this record. */
async function findSummaryPlace(record: RecordSource): Promise<SummaryPlace> {
  return (await readMessages(record)).place;
}

async function readMessages({ readLines }: RecordSource) {
  const summaries: StoredSummary[] = [];
  const isWanted = (name: string | null) => name === null || name === 'summary';
  let lastMessage: string | null = null;
  let [messages, originalTokens] = [0, 0];
  for await (const lines of readLines({ isWanted })) {
    for (const { text, name } of lines) {
      if (name === null) {
        messages += 1;
        originalTokens += (JSON.parse(text) as { tokens?: number }).tokens ?? 0;
        lastMessage = text;
      } else summaries.push(parseSummaryFact(parseFact(text)));
    }
  }
  return { lastMessage, summaries, place: { id: summaries.length + 1, afterSeq: messages, originalTokens } };
}

import type { RunDriver } from '../driver.ts';
import { createFinalSummaryReader, findSummaryPlace } from '../journal/final-summaries.ts';
import { readJournal } from '../journal/read-journal.ts';
import type { Json } from '../journal-model.ts';
import { toFinalSummaryLine } from '../lines/summary-line.ts';
import type { EndedRun, FinalSummaries } from '../ports.ts';
import { requireUuid } from '../run-uuid.ts';
import { isMissing } from './run-errors.ts';

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
  if ((await driver.find(uuid)) !== 'completed') throw isMissing(uuid, driver.locate('completed'));
  const record = driver.openRecord(uuid, 'completed');
  const append: FinalSummaries['append'] = async (summary, { now }) => {
    const data = toFinalSummaryLine(summary, await findSummaryPlace(record)) as Json;
    await driver.append(uuid, { name: 'summary', data, timestamp: new Date(now).toISOString() });
    await driver.project?.(uuid);
    await driver.index(await driver.readFacts(uuid));
  };
  return {
    metadata: (await driver.readFacts(uuid)).metadata,
    journal: { read: ({ facts } = {}) => readJournal(record, { parseMessage, facts }) },
    finalSummary: { ...createFinalSummaryReader(record), append },
  };
}

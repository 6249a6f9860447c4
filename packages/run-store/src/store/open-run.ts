import { ContextStoreError, translated } from '../context-store-error.ts';
import type { RunDriver, TakenRun } from '../driver.ts';
import { createFinalSummaryReader } from '../journal/final-summaries.ts';
import type { LoadedJournal } from '../journal/loaded-journal.ts';
import type { OpenRun } from '../ports.ts';

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
  const { metadata } = facts;
  if (metadata === null) throw hasNoMetadata(location);
  const leave = async () => {
    const last = newest();
    if (last === null || (await driver.find(uuid)) !== 'running') return;
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

function hasNoMetadata(location: string): ContextStoreError {
  return new ContextStoreError(`The record in "${location}" does not say what the run is.`, {
    code: 'damaged',
  });
}

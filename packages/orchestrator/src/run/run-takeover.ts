import type { OpenRun } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { RecordCheck } from './run-record.ts';

/** Tells whether something was refused because another process has taken over the run, or the place of all runs. */
export function isTakenOver(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ((at as { readonly code?: unknown }).code === 'owned') return true;
  return false;
}

/** The record of a run that this process writes, until another one takes the run over. */
export interface HeldRecord extends WrittenRecord, Pick<RecordCheck, 'requireOwned'> {}

type WrittenRecord = Pick<OpenRun<ModelMessage>, 'journal' | 'outbox' | 'state'>;

/** Notices at a run's writes that another process has taken the run over. */
export function watchTakeover({ journal, outbox, state }: WrittenRecord): HeldRecord {
  let refusal: Error | null = null;
  const watched =
    <Given extends readonly unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await write(...given);
      } catch (error) {
        if (isTakenOver(error)) refusal ??= error as Error;
        throw error;
      }
    };
  return {
    journal: {
      append: watched(journal.append),
      read: journal.read,
      replaceContext: watched(journal.replaceContext),
      finish: watched(journal.finish),
    },
    outbox: { open: watched(outbox.open), settle: watched(outbox.settle), list: outbox.list },
    state: { read: state.read, write: watched(state.write) },
    requireOwned: () => {
      if (refusal !== null) throw refusal;
    },
  };
}

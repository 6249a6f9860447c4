import type { Logger } from '@agent/text';
import { z } from 'zod';
import { replaceFile } from '../disk/replace-file.ts';
import { toJournalFiles } from '../journal/journal-files.ts';
import { readFileIfThere } from './run-directory.ts';

const recordSchema = z
  .object({
    crashes_in_a_row: z.number().int().nonnegative(),
    restores_begun: z.number().int().nonnegative(),
    last_seq: z.number().int().nonnegative(),
    left: z.boolean(),
  })
  .transform((file) => ({
    crashesInARow: file.crashes_in_a_row,
    restoresBegun: file.restores_begun,
    lastSeq: file.last_seq,
    left: file.left,
  }));

/** `restarts.json`: how the processes that carried a run came to their end. @see decision X16 */
export interface RestartRecord {
  /** As counted by the last restore that was completed. */
  readonly crashesInARow: number;
  /** Crashes met by restores since; more than one when restores themselves were cut short. */
  readonly restoresBegun: number;
  /** The journal's last message at the last restore that was completed. */
  readonly lastSeq: number;
  /** Whether the last process gave the run back in order. */
  readonly left: boolean;
}

const nothingYet: RestartRecord = { crashesInARow: 0, restoresBegun: 0, lastSeq: 0, left: false };

/** What is written before a run's journal is touched, so that a crash in the middle of a restore counts as well. */
export function toRestoring(
  record: RestartRecord,
  { isCrash }: { readonly isCrash: boolean },
): RestartRecord {
  return { ...record, restoresBegun: record.restoresBegun + (isCrash ? 1 : 0), left: false };
}

/** What is written once the journal is open: a step completed since the last restore ends the row. */
export function toRestored(
  record: RestartRecord,
  journal: { readonly lastSeq: number; readonly lastStepSeq: number },
): RestartRecord {
  const earlier = journal.lastStepSeq > record.lastSeq ? 0 : record.crashesInARow;
  const crashesInARow = earlier + record.restoresBegun;
  return { crashesInARow, restoresBegun: 0, lastSeq: journal.lastSeq, left: false };
}

/** A record that cannot be read only costs the count: the run itself is not in it. */
export async function readRestartRecord(directory: string, logger: Logger | null): Promise<RestartRecord> {
  const path = toJournalFiles(directory).restarts;
  const text = await readFileIfThere(path);
  if (text === null) return nothingYet;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch (err) {
    logger?.warn({ err, path }, 'the count of crashes cannot be read; counting from none');
    return nothingYet;
  }
}

/** Writes `restarts.json` as a whole, synced. */
export function writeRestartRecord(directory: string, record: RestartRecord): Promise<void> {
  const file = {
    crashes_in_a_row: record.crashesInARow,
    restores_begun: record.restoresBegun,
    last_seq: record.lastSeq,
    left: record.left,
  };
  return replaceFile(toJournalFiles(directory).restarts, `${JSON.stringify(file)}\n`);
}

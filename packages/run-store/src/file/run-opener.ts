import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@agent/text';
import { z } from 'zod';
import { toStorageError } from '../context-store-error.ts';
import { readFileIfThere, replaceFile } from '../disk/files.ts';
import { type LoadedJournal, openLoadedJournal } from '../journal/file-run-journal.ts';
import { createFinalSummaries } from '../journal/final-summaries.ts';
import type { FileRunJournalOptions } from '../journal/journal-writer.ts';
import type { MessageLike } from '../journal-model.ts';
import { toJournalFiles } from '../places.ts';
import type { OpenRun } from '../ports.ts';
import { isRunDirectory } from './run-directory.ts';
import { readMetadata } from './run-documents.ts';
import { createRunState } from './run-state.ts';

const halfWritten = /^[a-z_]+\.jsonl?\.tmp$/;

/** Removes what a process that died was about to put in the place of a file. Only the run's owner may call this. */
async function removeHalfWrittenFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile() && halfWritten.test(entry.name));
  for (const { name } of left) await rm(join(directory, name), { force: true });
}

/** Reason for opening a directory: it was made just now, given back in order, or found. */
type OpeningKind = 'new' | 'left' | 'found';

export interface RunOpener<Message> {
  /**
   * Opens a directory in `running/`, and counts a crash when its last process did not give it back. A journal of the
   * same run that was opened before writes nothing any more.
   */
  readonly open: (uuid: string, kind: OpeningKind) => Promise<OpenRun<Message>>;
  /** Lets go of the files of a run's journal, so that its directory can be moved. */
  readonly settle: (uuid: string) => Promise<void>;
  /** To be told of a run that is over. */
  readonly forget: (uuid: string) => void;
}

/** Opens runs, and remembers which ones are this process's own: a second opening of these is no crash. */
export function createRunOpener<Message extends MessageLike>(
  running: string,
  options: FileRunJournalOptions<Message>,
): RunOpener<Message> {
  const ours = new Map<string, Pick<LoadedJournal<Message>, 'settle' | 'retire'> | null>();
  const { logger = null, afterSync } = options;

  async function countCrashes(uuid: string, isLeft: boolean) {
    const directory = join(running, uuid);
    const record = await readRestartRecord(directory, logger);
    const restoring = toRestoring(record, { isCrash: !(isLeft || record.left || ours.has(uuid)) });
    await writeRestartRecord(directory, restoring);
    afterSync?.({ uuid, file: 'restarts.json' });
    return restoring;
  }

  return {
    open: async (uuid, kind) => {
      const directory = join(running, uuid);
      const metadata = await readMetadata(directory);
      if (kind !== 'new') await removeHalfWrittenFiles(directory);
      const restoring = kind === 'new' ? null : await countCrashes(uuid, kind === 'left');
      await ours.get(uuid)?.retire();
      if (!ours.has(uuid)) ours.set(uuid, null);
      const { journal, outbox, damage, position, settle, retire, ...counted } = await openLoadedJournal(
        directory,
        options,
      );
      ours.set(uuid, { settle, retire });
      let record = restoring === null ? null : toRestored(restoring, counted);
      if (record !== null) await writeRestartRecord(directory, record);
      const leave = async () => {
        if (!(await isRunDirectory(directory))) return;
        record = { ...(record ?? (await readRestartRecord(directory, logger))), left: true };
        await writeRestartRecord(directory, record);
        await settle();
      };
      return {
        metadata,
        journal,
        state: createRunState(directory, { afterSync: (file) => afterSync?.({ uuid, file }) }),
        outbox,
        damage,
        position,
        finalSummary: createFinalSummaries(directory),
        crashesInARow: record?.crashesInARow ?? 0,
        leave: () =>
          leave().catch((error: unknown) => {
            throw toStorageError(error, `leave run ${uuid} in "${running}"`);
          }),
      };
    },
    settle: async (uuid) => ours.get(uuid)?.settle(),
    forget: (uuid) => void ours.delete(uuid),
  };
}

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
interface RestartRecord {
  /** As counted by the last restore that was completed. */
  readonly crashesInARow: number;
  /** Crashes met by restores since; more than one when restores themselves were cut short. */
  readonly restoresBegun: number;
  /** The journal's last message at the last restore that was completed. */
  readonly lastSeq: number;
  /** True when the last process gave the run back in order. */
  readonly left: boolean;
}

const nothingYet: RestartRecord = { crashesInARow: 0, restoresBegun: 0, lastSeq: 0, left: false };

/** Makes the record to write before a run's journal is touched, so that a crash in the middle of a restore counts as well. */
function toRestoring(record: RestartRecord, { isCrash }: { readonly isCrash: boolean }): RestartRecord {
  return { ...record, restoresBegun: record.restoresBegun + (isCrash ? 1 : 0), left: false };
}

/** Makes the record to write once the journal is open: a step completed since the last restore ends the row. */
function toRestored(
  record: RestartRecord,
  journal: { readonly lastSeq: number; readonly lastStepSeq: number },
): RestartRecord {
  const earlier = journal.lastStepSeq > record.lastSeq ? 0 : record.crashesInARow;
  const crashesInARow = earlier + record.restoresBegun;
  return { crashesInARow, restoresBegun: 0, lastSeq: journal.lastSeq, left: false };
}

/** A record that cannot be read only costs the count: the run itself is not in it. */
async function readRestartRecord(directory: string, logger: Logger | null): Promise<RestartRecord> {
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
function writeRestartRecord(directory: string, record: RestartRecord): Promise<void> {
  const file = {
    crashes_in_a_row: record.crashesInARow,
    restores_begun: record.restoresBegun,
    last_seq: record.lastSeq,
    left: record.left,
  };
  return replaceFile(toJournalFiles(directory).restarts, `${JSON.stringify(file)}\n`);
}

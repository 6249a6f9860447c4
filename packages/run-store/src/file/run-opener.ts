import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toStorageError } from '../disk/storage-error.ts';
import {
  type FileRunJournalOptions,
  type LoadedJournal,
  openLoadedJournal,
} from '../journal/file-run-journal.ts';
import { createFinalSummaries } from '../journal/final-summary-file.ts';
import type { MessageLike } from '../journal-model.ts';
import type { OpenRun } from '../ports.ts';
import { readRestartRecord, toRestored, toRestoring, writeRestartRecord } from './restart-record.ts';
import { isRunDirectory, readMetadata } from './run-directory.ts';
import { createRunState } from './run-state.ts';

const halfWritten = /^[a-z_]+\.jsonl?\.tmp$/;

/** Removes what a process that died was about to put in the place of a file. Only the run's owner may call this. */
async function removeHalfWrittenFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile() && halfWritten.test(entry.name));
  for (const { name } of left) await rm(join(directory, name), { force: true });
}

/** How the directory came to be opened: made just now, given back in order, or found. */
export type OpeningKind = 'new' | 'left' | 'found';

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
      const { journal, settle, retire, ...position } = await openLoadedJournal(directory, options);
      ours.set(uuid, { settle, retire });
      let record = restoring === null ? null : toRestored(restoring, position);
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

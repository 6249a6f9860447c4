import { readdir, rm } from 'node:fs/promises';
import { hostname as readHostname } from 'node:os';
import { basename, join } from 'node:path';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { isRunDirectory } from '../disk/run-directories.ts';
import { type LoadedJournal, openLoadedJournal } from '../journal/file-run-journal.ts';
import { createFinalSummaryReader } from '../journal/final-summaries.ts';
import type { FileRunJournalOptions } from '../journal/journal-writer.ts';
import type { RecordReading } from '../journal/record-reading.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { toJournalFiles } from '../places.ts';
import type { OpenRun } from '../ports.ts';
import { appendToRecord, toRecordSource } from '../record/run-record.ts';
import { createRunState } from './run-state.ts';

const halfWritten = /^[a-z_0-9.-]+\.jsonl?\.tmp$/;

/** Removes what a process that died was about to put in the place of a file. Only the run's owner may call this. */
async function removeHalfWrittenFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile() && halfWritten.test(entry.name));
  for (const { name } of left) await rm(join(directory, name), { force: true });
}

/** Reason for opening a directory: it was made just now, given back in order, or found. */
type OpeningKind = 'new' | 'left' | 'found';

interface Opening<Message> {
  readonly kind: OpeningKind;
  /** The record as far as it was read already. Default none of it. */
  readonly reading?: RecordReading<Message> | null;
}

export interface RunOpener<Message> {
  /**
   * Opens a directory in `running/`, and counts a crash when its last process did not give it back. A journal of the
   * same run that was opened before writes nothing any more.
   */
  readonly open: (uuid: string, opening: Opening<Message>) => Promise<OpenRun<Message>>;
  /** Appends a fact, synced, to the record of a run that is open here, or lies in this directory. */
  readonly appendFact: (
    directory: string,
    fact: { readonly name: string; readonly data: Json },
  ) => Promise<void>;
  /** Brings the files beside the record up to date, and lets go of them, so that the directory can be moved. */
  readonly settle: (uuid: string) => Promise<void>;
  /** Writes the files beside the record anew, where they say something else. */
  readonly project: (directory: string) => Promise<void>;
  /** To be told of a run that was moved: its journal writes nothing any more. */
  readonly forget: (uuid: string) => Promise<void>;
}

export interface RunOpenerOptions<Message> extends FileRunJournalOptions<Message> {
  readonly hostname?: string | undefined;
  readonly processId?: number | undefined;
}

/** Opens runs, and remembers which ones are this process's own: a second opening of these is no crash. */
export function createRunOpener<Message extends MessageLike>(
  running: string,
  options: RunOpenerOptions<Message>,
): RunOpener<Message> {
  const ours = new Map<string, LoadedJournal<Message> | null>();
  const { now = Date.now, owner = null, hostname = readHostname(), processId = process.pid } = options;
  const timestamp = () => new Date(now()).toISOString();

  async function open(uuid: string, { kind, reading }: Opening<Message>): Promise<OpenRun<Message>> {
    const directory = join(running, uuid);
    await ours.get(uuid)?.retire();
    if (kind !== 'new') await removeHalfWrittenFiles(directory);
    const own = kind === 'left' || ours.has(uuid);
    const opening = kind === 'new' ? null : { process_id: processId, hostname, own };
    if (!ours.has(uuid)) ours.set(uuid, null);
    const loaded = await openLoadedJournal(directory, { ...options, opening, reading: reading ?? undefined });
    ours.set(uuid, loaded);
    return toOpenRun(loaded, directory);
  }

  function toOpenRun(loaded: LoadedJournal<Message>, directory: string): OpenRun<Message> {
    const { outbox, damage, position, crashesInARow } = loaded;
    // What ends a run must not be lost, even where it was opened again since.
    const newest = () => ours.get(basename(directory)) ?? loaded;
    const journal: OpenRun<Message>['journal'] = {
      ...loaded.journal,
      finish: (end, more) => newest().journal.finish(end, more),
    };
    const { metadata } = loaded.facts;
    if (metadata === null)
      throw new ContextStoreError(`"${directory}" is not the directory of a run.`, { code: 'damaged' });
    const leave = async () => {
      if (!(await isRunDirectory(directory))) return;
      await newest().leave();
      await newest().settle();
    };
    return {
      ...{ metadata, journal, outbox, damage, position, crashesInARow },
      state: createRunState(directory, {
        append: loaded.appendFact,
        isKept: (name) => loaded.facts.states.has(name),
      }),
      finalSummary: {
        ...createFinalSummaryReader(toRecordSource(toJournalFiles(directory))),
        append: (summary, at) => loaded.appendFinalSummary(summary, new Date(at.now).toISOString()),
      },
      leave: () => translated(leave(), `leave the run in "${directory}"`),
    };
  }

  // An opening writes them, and leaves no file open until something is appended.
  async function project(directory: string): Promise<void> {
    await openLoadedJournal(directory, { ...options, opening: null });
  }

  return {
    open,
    appendFact: async (directory, fact) => {
      const uuid = basename(directory);
      const loaded = directory === join(running, uuid) ? ours.get(uuid) : null;
      if (loaded) return await loaded.appendFact(fact);
      await appendToRecord(toJournalFiles(directory), { ...fact, owner, timestamp });
    },
    settle: async (uuid) => {
      const loaded = ours.get(uuid);
      await (loaded ? loaded.settle() : project(join(running, uuid)));
    },
    project,
    forget: async (uuid) => {
      await ours.get(uuid)?.retire();
      ours.delete(uuid);
    },
  };
}

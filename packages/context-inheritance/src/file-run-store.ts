import { hostname as readHostname } from 'node:os';
import { join, resolve } from 'node:path';
import { ContextStoreError } from './context-store-error.ts';
import { createRunDirectory } from './create-run-directory.ts';
import { openFileRunJournal, type SyncedWrite } from './file-run-journal.ts';
import { hashTaskKey } from './hash-task-key.ts';
import type { MessageLike } from './journal-model.ts';
import { listRunningDirectories } from './list-running-directories.ts';
import { moveDirectory } from './move-directory.ts';
import type { Logger, OpenRun, RunStore } from './ports.ts';
import { isRunDirectory, readMetadata, requireUuid } from './run-directory.ts';
import type { NewRun, RunMetadata } from './run-model.ts';
import { toStorageError } from './storage-error.ts';

export interface FileRunStoreOptions<Message> {
  /** Holds `running/` and `completed/`; made when it is missing. */
  readonly baseDirectory: string;
  /** Checks a message that comes back from disk; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
  /** Name of this machine, as `metadata.json` keeps it. Default the system's. */
  readonly hostname?: string | undefined;
  /** Default this process's. */
  readonly processId?: number | undefined;
  /** Called after each write that reached the disk, before the caller hears of it. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/**
 * Runs as directories under one base: `running/{uuid}` while they run, `completed/{uuid}` when they ended.
 * Who uses it holds the base directory's lock.
 * @see seed 002 §2.1
 * @see acquireLock
 */
export function createFileRunStore<Message extends MessageLike>(
  options: FileRunStoreOptions<Message>,
): RunStore<Message> {
  const base = resolve(options.baseDirectory);
  const running = join(base, 'running');
  const completed = join(base, 'completed');

  async function openDirectory(uuid: string): Promise<OpenRun<Message>> {
    const directory = join(running, uuid);
    const metadata = await readMetadata(directory);
    return { metadata, directory, journal: await openFileRunJournal(directory, options) };
  }

  async function open(run: NewRun): Promise<OpenRun<Message>> {
    requireUuid(run.uuid);
    if (await isRunDirectory(join(completed, run.uuid))) throw hasEnded(run.uuid);
    if (!(await isRunDirectory(join(running, run.uuid)))) {
      await createRunDirectory(running, toMetadata(run, options));
      options.afterSync?.({ uuid: run.uuid, file: 'metadata.json' });
    }
    return openDirectory(run.uuid);
  }

  async function restore(uuid: string): Promise<OpenRun<Message>> {
    requireUuid(uuid);
    if (await isRunDirectory(join(running, uuid))) return openDirectory(uuid);
    if (await isRunDirectory(join(completed, uuid))) throw hasEnded(uuid);
    throw isMissing(uuid, running);
  }

  async function finish(uuid: string): Promise<void> {
    requireUuid(uuid);
    if (await isRunDirectory(join(running, uuid))) {
      await moveDirectory(join(running, uuid), join(completed, uuid));
      options.afterSync?.({ uuid, file: 'completed' });
    } else if (!(await isRunDirectory(join(completed, uuid)))) throw isMissing(uuid, running);
  }

  return {
    open: (run) => translated(open(run), `open run ${run.uuid} in "${base}"`),
    restore: (uuid) => translated(restore(uuid), `restore run ${uuid} in "${base}"`),
    listUnfinished: () => translated(listRunningDirectories(running), `list the runs in "${running}"`),
    finish: (uuid) => translated(finish(uuid), `move run ${uuid} to "${completed}"`),
  };
}

function toMetadata<Message>(run: NewRun, options: FileRunStoreOptions<Message>): RunMetadata {
  const { now = Date.now, hostname = readHostname(), processId = process.pid } = options;
  return {
    ...run,
    createdAt: new Date(now()).toISOString(),
    processId,
    hostname,
    taskKeyHash: hashTaskKey(run.taskKeyText),
    inheritedFromUuid: null,
    inheritanceDepth: 0,
  };
}

function translated<Result>(work: Promise<Result>, action: string): Promise<Result> {
  return work.catch((error: unknown) => {
    throw toStorageError(error, action);
  });
}

function hasEnded(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} has ended. Begin a new one, with a new uuid.`, {
    code: 'invalid',
  });
}

function isMissing(uuid: string, running: string): ContextStoreError {
  return new ContextStoreError(`There is no run ${uuid} in "${running}". Open it first.`, {
    code: 'invalid',
  });
}

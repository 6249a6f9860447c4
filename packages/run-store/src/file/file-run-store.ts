import { stat, writeFile } from 'node:fs/promises';
import { hostname as readHostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@agent/text';
import { dropTornLine } from '../disk/drop-torn-line.ts';
import { createKeyedMutex } from '../disk/keyed-mutex.ts';
import { privateFile } from '../disk/private-modes.ts';
import { readLastLines } from '../disk/read-last-lines.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { hashTaskKey } from '../hash-task-key.ts';
import type { IndexRun } from '../index/run-indexer.ts';
import { openFileRunJournal, type SyncedWrite } from '../journal/file-run-journal.ts';
import { createFinalSummaries } from '../journal/final-summary-file.ts';
import type { MessageLike } from '../journal-model.ts';
import type { EndedRun, FileRunJournal, OpenRun, PausedRuns, RestingRuns, RunStore } from '../ports.ts';
import type { NewRun, RunMetadata } from '../run-model.ts';
import { createRunDirectory } from './create-run-directory.ts';
import { listRunningDirectories, removeHalfMade } from './list-running-directories.ts';
import { moveDirectory } from './move-directory.ts';
import { createPausedRuns } from './paused-runs.ts';
import { toRecentLine } from './recent-run-line.ts';
import { isRunDirectory, readMetadata, readOutcome, requireUuid } from './run-directory.ts';
import { hasEnded, isMissing, isOptionMissing, isPaused, isThereTwice, translated } from './run-errors.ts';
import { createRunOpener } from './run-opener.ts';
import { type RunPlacesOptions, toRunPlaces } from './run-places.ts';
import { openStateOf, whileStateRests } from './run-state.ts';

const maxBytes = 1024 * 1024;
/** Runs that end at the same time, and are cut short by the same crash, are never more than these. */
const checkedLines = 200;

/** `recent.jsonl`: one line for each run that ended, the latest last. Only for people to look at. */
interface RecentRuns {
  /**
   * Adds the run in this directory, unless one of the last lines is its own already. A line that cannot be written
   * is logged: it must not keep the run from ending.
   */
  readonly add: (directory: string) => Promise<void>;
}

function createRecentRuns(path: string, logger: Logger | null): RecentRuns {
  let tail: Promise<void> = Promise.resolve();
  async function add(directory: string): Promise<void> {
    const metadata = await readMetadata(directory);
    const line = toRecentLine(metadata, await readOutcome(directory));
    await writeFile(path, '', { flag: 'a', mode: privateFile });
    await dropTornLine(path);
    const lines = await readLastLines(path, checkedLines);
    if (lines.some((text) => text.includes(`"${metadata.uuid}"`))) return;
    await writeFile(path, `${JSON.stringify(line)}\n`, { flag: 'a', mode: privateFile });
    await shorten(path);
  }
  return {
    add: (directory) => {
      // One after the other: each looks at the file's end, and may cut it.
      tail = tail
        .then(() => add(directory))
        .catch((err: unknown) => logger?.warn({ err, path }, 'a run is missing in the list of recent runs'));
      return tail;
    },
  };
}

/** Keeps the list from growing for ever: the newer half stays. */
async function shorten(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  const lines = await readLastLines(path, Number.POSITIVE_INFINITY);
  const kept = lines.slice(Math.floor(lines.length / 2));
  await replaceFile(path, kept.map((line) => `${line}\n`).join(''), { sync: false });
}

/** Options of a store in files. */
export interface FileRunStoreOptions<Message> extends RunPlacesOptions {
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
  /**
   * Opens what puts a run that ended into the index, see `createRunIndexer`; asked for at the first end. A run is put
   * in before its directory is moved, and again when a crash kept it from being moved. What it throws leaves the run in
   * `running/`. Default none.
   */
  readonly openIndex?: (() => Promise<{ readonly indexRun: IndexRun }>) | undefined;
  /** Called after each write that reached the disk, before the caller hears of it. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/**
 * Runs as directories under one base: `running/{uuid}` while they run, `paused/{uuid}` while they wait,
 * `completed/{uuid}` when they ended. Who uses it holds the base directory's lock.
 * @throws {ContextStoreError} `invalid`, naming an option that is missing
 * @see seed 002 §2.1
 * @see acquireLock
 */
export function createFileRunStore<Message extends MessageLike>(
  options: FileRunStoreOptions<Message>,
): RunStore<Message> & PausedRuns<Message> & RestingRuns<Message> {
  const places = toRunPlaces(options);
  if (typeof options.parseMessage !== 'function') throw isOptionMissing('parseMessage', 'a function');
  const { running, paused, completed } = places;
  const opener = createRunOpener(running, options);
  const turns = createKeyedMutex();
  const pausedRuns = createPausedRuns({ places, opener, options });
  const recent = createRecentRuns(places.recent, options.logger ?? null);

  async function requireUnended(uuid: string): Promise<void> {
    requireUuid(uuid);
    if (await isRunDirectory(join(completed, uuid))) throw hasEnded(uuid);
  }

  async function isRunning(uuid: string): Promise<boolean> {
    const [isIn, isAside] = [
      await isRunDirectory(join(running, uuid)),
      await isRunDirectory(join(paused, uuid)),
    ];
    if (isAside) throw isIn ? isThereTwice(uuid) : isPaused(uuid);
    return isIn;
  }

  async function open(run: NewRun): Promise<OpenRun<Message>> {
    await requireUnended(run.uuid);
    if (await isRunning(run.uuid)) return opener.open(run.uuid, 'found');
    await createRunDirectory(running, toMetadata(run, options));
    options.afterSync?.({ uuid: run.uuid, file: 'metadata.json' });
    return opener.open(run.uuid, 'new');
  }

  async function restore(uuid: string): Promise<OpenRun<Message>> {
    requireUuid(uuid);
    if (await isRunning(uuid)) return opener.open(uuid, 'found');
    await requireUnended(uuid);
    throw isMissing(uuid, running);
  }

  async function listUnfinished() {
    await removeHalfMade(running);
    return listRunningDirectories(running);
  }

  async function finish(uuid: string): Promise<void> {
    requireUuid(uuid);
    if (await isRunning(uuid)) {
      await opener.settle(uuid);
      await recent.add(join(running, uuid));
      await indexRun(join(running, uuid));
      await whileStateRests(join(running, uuid), () =>
        moveDirectory(join(running, uuid), join(completed, uuid)),
      );
      opener.forget(uuid);
      options.afterSync?.({ uuid, file: 'completed' });
    } else if (!(await isRunDirectory(join(completed, uuid)))) throw isMissing(uuid, running);
  }

  async function indexRun(directory: string): Promise<void> {
    await (await options.openIndex?.())?.indexRun(directory);
  }

  async function openEnded(uuid: string): Promise<EndedRun<Message>> {
    requireUuid(uuid);
    const directory = join(completed, uuid);
    if (!(await isRunDirectory(directory))) throw isMissing(uuid, completed);
    const summary = createFinalSummaries(directory);
    let opening: Promise<FileRunJournal<Message>> | null = null;
    return {
      metadata: await readMetadata(directory),
      journal: {
        read: async function* () {
          opening ??= openFileRunJournal(directory, options);
          yield* (await opening).read();
        },
      },
      finalSummary: {
        read: summary.read,
        append: async (text, at) => {
          await summary.append(text, at);
          await indexRun(directory);
        },
      },
    };
  }

  return {
    open: (run) =>
      translated(
        turns.run(run.uuid, () => open(run)),
        `open run ${run.uuid} in "${running}"`,
      ),
    restore: (uuid) =>
      translated(
        turns.run(uuid, () => restore(uuid)),
        `restore run ${uuid} in "${running}"`,
      ),
    listUnfinished: () => translated(listUnfinished(), `list the runs in "${running}"`),
    finish: (uuid) => translated(finish(uuid), `move run ${uuid} to "${completed}"`),
    openState: (uuid) => openStateOf(places, uuid),
    openEnded: (uuid) => translated(openEnded(uuid), `open run ${uuid} in "${completed}"`),
    ...pausedRuns,
    resume: (uuid) => turns.run(uuid, () => pausedRuns.resume(uuid)),
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
    inheritedFromUuid: run.inheritedFromUuid ?? null,
    inheritanceDepth: run.inheritanceDepth ?? 0,
  };
}

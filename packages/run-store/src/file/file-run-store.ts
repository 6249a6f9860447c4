import { join } from 'node:path';
import type { Logger } from '@agent/text';
import { createKeyedTurns } from '@agent/text/waiting';
import { translated } from '../context-store-error.ts';
import { isRunDirectory, moveDirectory } from '../disk/run-directories.ts';
import type { IndexRun } from '../index/read-indexed-run.ts';
import { createRecentRuns } from '../index/recent-runs.ts';
import { createFinalSummaryReader, findSummaryPlace } from '../journal/final-summaries.ts';
import type { SyncedWrite } from '../journal/journal-writer.ts';
import { readJournal } from '../journal/read-journal.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { toNewMetadata } from '../lines/run-documents.ts';
import { toFinalSummaryLine } from '../lines/summary-line.ts';
import { guardStore } from '../ownership/guard-store.ts';
import { isOptionMissing, type RunPlacesOptions, toJournalFiles, toRunPlaces } from '../places.ts';
import type { EndedRun, OpenRun, RecordOwner, WholeRunStore } from '../ports.ts';
import { createRestingOutbox, hasOpenIntents } from '../record/outbox-ledger.ts';
import { appendToRecord, readMetadata, readRunFacts, toRecordSource } from '../record/run-record.ts';
import type { NewRun } from '../run-model.ts';
import { requireUuid } from '../run-uuid.ts';
import { requireAlone } from '../store/require-alone.ts';
import { hasEnded, isMissing, isPaused, isThereTwice } from '../store/run-errors.ts';
import { findRun, listRunningDirectories, readWhereItLies, removeHalfMade } from './list-runs.ts';
import { createPausedRuns } from './paused-runs.ts';
import { createRunDirectory } from './run-directory.ts';
import { createRunOpener } from './run-opener.ts';
import { openStateOf, whileStateRests } from './run-state.ts';

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
  /** Owner of the directory: its number stands in each line, and its guard lets no earlier owner write. Default none. */
  readonly owner?: RecordOwner | null | undefined;
  /** Called after each write that reached the disk, before the caller hears of it. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/**
 * Runs as directories under one base: `running/{uuid}` while they run, `paused/{uuid}` while they wait,
 * `completed/{uuid}` when they ended. Who writes with it owns the base directory.
 * @throws {ContextStoreError} `invalid`, naming an option that is missing
 * @see seed 002 §2.1
 * @see acquireOwnership
 *
 * @example
 * const store = createFileRunStore({ baseDirectory, parseMessage });
 * const { journal } = await store.open(newRun);
 * await journal.append({ type: 'message', message, usage: null, delivers: [] });
 */
export function createFileRunStore<Message extends MessageLike>(
  options: FileRunStoreOptions<Message>,
): WholeRunStore<Message> {
  const places = toRunPlaces(options);
  if (typeof options.parseMessage !== 'function') throw isOptionMissing('parseMessage', 'a function');
  const { running, paused, completed } = places;
  const { owner = null } = options;
  const opener = createRunOpener(running, options);
  const turns = createKeyedTurns();
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

  async function open(run: NewRun, alone: boolean): Promise<OpenRun<Message>> {
    await requireUnended(run.uuid);
    if (await isRunning(run.uuid)) return opener.open(run.uuid, { kind: 'found' });
    if (alone) requireAlone((await listRunningDirectories(running, run)).runs, run);
    await createRunDirectory(running, {
      metadata: toNewMetadata(run, options),
      owner: owner?.number ?? null,
    });
    options.afterSync?.({ uuid: run.uuid, file: 'running' });
    return opener.open(run.uuid, { kind: 'new' });
  }

  async function restore(uuid: string): Promise<OpenRun<Message>> {
    requireUuid(uuid);
    if (await isRunning(uuid)) return opener.open(uuid, { kind: 'found' });
    await requireUnended(uuid);
    throw isMissing(uuid, running);
  }

  async function listInterrupted() {
    await removeHalfMade(running);
    return listRunningDirectories(running);
  }

  async function finish(uuid: string): Promise<void> {
    requireUuid(uuid);
    if (await isRunning(uuid)) {
      await opener.settle(uuid);
      const { outbox } = await readRunFacts(join(running, uuid));
      const open = outbox.list().filter(({ state }) => state === 'open');
      if (open.length > 0) throw hasOpenIntents(uuid, open);
      await recent.add(join(running, uuid));
      await indexRun(join(running, uuid));
      await whileStateRests(join(running, uuid), () =>
        moveDirectory(join(running, uuid), join(completed, uuid)),
      );
      await opener.forget(uuid);
      options.afterSync?.({ uuid, file: 'completed' });
    } else if (!(await isRunDirectory(join(completed, uuid)))) throw isMissing(uuid, running);
  }

  async function indexEnded(uuid: string): Promise<void> {
    requireUuid(uuid);
    const { metadata, outcome } = await readRunFacts(join(running, uuid));
    if (metadata !== null && outcome !== null && outcome.status !== 'needs_input')
      await indexRun(join(running, uuid));
  }

  async function indexRun(directory: string): Promise<void> {
    await (await options.openIndex?.())?.indexRun(directory);
  }

  async function openEnded(uuid: string): Promise<EndedRun<Message>> {
    requireUuid(uuid);
    const directory = join(completed, uuid);
    if (!(await isRunDirectory(directory))) throw isMissing(uuid, completed);
    const files = toJournalFiles(directory);
    const record = toRecordSource(files);
    return {
      metadata: await readMetadata(directory),
      journal: { read: ({ facts } = {}) => readJournal(record, { ...options, facts }) },
      finalSummary: {
        ...createFinalSummaryReader(record),
        append: async (summary, at) => {
          const data = toFinalSummaryLine(summary, await findSummaryPlace(record)) as Json;
          const timestamp = () => new Date(at.now).toISOString();
          await appendToRecord(files, { name: 'summary', data, owner, timestamp });
          await opener.project(directory);
          await indexRun(directory);
        },
      },
    };
  }

  const store: WholeRunStore<Message> = {
    open: (run, { alone = false } = {}) =>
      translated(
        turns(run.uuid, () => open(run, alone)),
        `open run ${run.uuid} in "${running}"`,
      ),
    restore: (uuid) =>
      translated(
        turns(uuid, () => restore(uuid)),
        `restore run ${uuid} in "${running}"`,
      ),
    listInterrupted: () => translated(listInterrupted(), `list the runs in "${running}"`),
    finish: (uuid) => translated(finish(uuid), `move run ${uuid} to "${completed}"`),
    openState: (uuid) => openStateOf(uuid, { places, append: opener.appendFact }),
    index: (uuid) => translated(indexEnded(uuid), `index run ${uuid}`),
    openOutbox: (uuid) => {
      // Looked for anew each time: a run that waits may be moved by whoever resumes it.
      const find = { places, name: uuid };
      return createRestingOutbox({
        readLedger: () =>
          readWhereItLies(find, async ({ directory }) => (await readRunFacts(directory)).outbox),
        append: async (fact) => opener.appendFact((await findRun(places, uuid)).directory, fact),
      });
    },
    openEnded: (uuid) => translated(openEnded(uuid), `open run ${uuid} in "${completed}"`),
    ...pausedRuns,
    resume: (uuid) => turns(uuid, () => pausedRuns.resume(uuid)),
  };
  return options.owner == null ? store : guardStore(store, options.owner.guard);
}

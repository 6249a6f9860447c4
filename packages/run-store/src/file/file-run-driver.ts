import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { privateDirectory, privateFile, replaceFile, syncDirectory } from '../disk/files.ts';
import { halfMadePrefix, isRunDirectory, moveDirectory } from '../disk/run-directories.ts';
import type { NewRecord, RunDriver } from '../driver.ts';
import type { IndexRun } from '../index/read-indexed-run.ts';
import { createRecentRuns } from '../index/recent-runs.ts';
import type { NewFact } from '../journal/journal-writer.ts';
import { anyMessage } from '../journal/record-reading.ts';
import { sealLine } from '../lines/record-line.ts';
import { formatDocument, formatMetadata } from '../lines/run-documents.ts';
import { type RunPlaces, toJournalFiles } from '../places.ts';
import type { KnownFacts } from '../record/run-facts.ts';
import { appendToRecord, readRunFacts, toRecordSource } from '../record/run-record.ts';
import type { RunPlace } from '../run-model.ts';
import { requireAlone } from '../store/list-runs.ts';
import { isMissing, isThereTwice } from '../store/run-errors.ts';
import {
  listPausedDirectories,
  listRunningDirectories,
  readUnlessMoved,
  removeHalfMade,
} from './list-runs.ts';
import { createRunState, openStateOf, whileStateRests } from './run-state.ts';
import { type DirectoryOptions, openDirectory, takeDirectory } from './taken-directory.ts';

/** Options of a driver in files. */
export interface FileRunDriverOptions extends DirectoryOptions {
  /**
   * Opens what puts a run that ended into the index, see `createRunIndexer`; called at the first end. A run is put
   * in before its directory is moved, and again when a crash kept it from being moved. What it throws leaves the run in
   * `running/`. Default none.
   */
  readonly openIndex?: (() => Promise<{ readonly indexRun: IndexRun }>) | undefined;
}

/**
 * Stores runs as directories: `running/{uuid}`, `paused/{uuid}` and `completed/{uuid}`. Every file but the record
 * `messages.jsonl` is derived from it.
 */
export class FileRunDriver implements RunDriver {
  readonly #places: RunPlaces;
  readonly #options: FileRunDriverOptions;
  readonly #recent: ReturnType<typeof createRecentRuns>;

  constructor(places: RunPlaces, options: FileRunDriverOptions) {
    this.#places = places;
    this.#options = options;
    this.#recent = createRecentRuns(places.recent, options.logger ?? null);
  }

  readonly locate: RunDriver['locate'] = (place) => this.#places[place];

  readonly find: RunDriver['find'] = async (uuid) => {
    const place = await this.#findPlace(uuid);
    if (place === null) return null;
    const { paused } = this.#places;
    return {
      place,
      // As the seeds write it, `contexts/paused/{uuid}`: a base directory can be moved as a whole.
      contextPath: [basename(dirname(paused)), basename(paused), uuid].join('/'),
      record: toRecordSource(toJournalFiles(this.#toPath(uuid, place))),
      readFacts: () => this.#readFacts(uuid),
      append: (fact) => this.#append(uuid, fact),
    };
  };

  readonly create: RunDriver['create'] = async (run) => {
    const { metadata, alone } = run;
    const { running } = this.#places;
    if ((await this.#findPlace(metadata.uuid)) !== null) return null;
    if (alone) requireAlone(await listRunningDirectories(running, metadata), metadata);
    await createRunDirectory(running, { ...run, owner: this.#options.owner?.number ?? null });
    this.#synced(metadata.uuid, 'running');
    return takeDirectory(this.#toPath(metadata.uuid, 'running'), this.#options);
  };

  readonly take: RunDriver['take'] = async (uuid, from) => {
    const directory = this.#toPath(uuid, 'running');
    if (from === 'paused') {
      await moveDirectory(this.#toPath(uuid, 'paused'), directory);
      this.#synced(uuid, 'running');
    } else await this.#requireOnce(uuid);
    await removeHalfWrittenFiles(directory);
    return takeDirectory(directory, this.#options);
  };

  readonly move: RunDriver['move'] = async ({ uuid }, to) => {
    const directory = this.#toPath(uuid, 'running');
    if (to === 'completed') {
      await this.#requireOnce(uuid);
      await this.#recent.add(directory);
    }
    await whileStateRests(directory, () => moveDirectory(directory, this.#toPath(uuid, to)));
    this.#synced(uuid, to);
  };

  readonly list: RunDriver['list'] = (place) =>
    place === 'running'
      ? listRunningDirectories(this.#places.running)
      : listPausedDirectories(this.#places.paused);

  readonly openState: RunDriver['openState'] = (uuid, { append, isKept, isOpen }) =>
    isOpen
      ? createRunState(this.#toPath(uuid, 'running'), { append, isKept })
      : openStateOf(uuid, { places: this.#places, append });

  readonly index: RunDriver['index'] = async ({ metadata }) => {
    const directory = await this.#require(metadata.uuid);
    await (await this.#options.openIndex?.())?.indexRun(directory);
  };

  readonly project = async (uuid: string): Promise<void> => {
    await openDirectory(await this.#require(uuid), { ...this.#options, parseMessage: anyMessage });
  };

  readonly sweep = (): Promise<void> => removeHalfMade(this.#places.running);

  /** Looks three times: a run may be moved to a place that was already looked at. */
  async #findPlace(uuid: string): Promise<RunPlace | null> {
    for (let looks = 0; looks < 3; looks += 1)
      for (const place of ['running', 'paused', 'completed'] as const)
        if (await isRunDirectory(this.#toPath(uuid, place))) return place;
    return null;
  }

  async #append(uuid: string, fact: NewFact): Promise<void> {
    const { owner = null } = this.#options;
    const files = toJournalFiles(await this.#require(uuid));
    await appendToRecord(files, fact, { owner, timestamp: () => this.#timestamp() });
    this.#synced(uuid, 'messages.jsonl');
    if (fact.name !== 'paused' && fact.name !== 'resumed') return;
    const path = files.taskState;
    await replaceFile(path, formatDocument(fact.data), { sync: false }).catch((err: unknown) =>
      this.#options.logger?.warn({ err, path }, 'failed to update derived file; rewriting it at next open'),
    );
  }

  async #readFacts(uuid: string): Promise<KnownFacts> {
    for (;;) {
      const directory = await this.#require(uuid);
      const facts = await readUnlessMoved(directory, () => readRunFacts(directory));
      if (facts !== null) return facts.value;
    }
  }

  #toPath(uuid: string, place: RunPlace): string {
    return join(this.#places[place], uuid);
  }

  /** Finds the directory of a run. */
  async #require(uuid: string): Promise<string> {
    const place = await this.#findPlace(uuid);
    if (place === null) throw isMissing(uuid, this.#places.running);
    return this.#toPath(uuid, place);
  }

  async #requireOnce(uuid: string): Promise<void> {
    if (await isRunDirectory(this.#toPath(uuid, 'paused'))) throw isThereTwice(uuid);
  }

  #timestamp(): string {
    return new Date((this.#options.now ?? Date.now)()).toISOString();
  }

  #synced(uuid: string, file: string): void {
    this.#options.afterSync?.({ uuid, file });
  }
}

/** Makes `running/{uuid}` with a record that says what the run is, or nothing: it is built aside and renamed. */
async function createRunDirectory(
  running: string,
  { metadata, body, owner }: Pick<NewRecord, 'metadata' | 'body'> & { readonly owner: number | null },
): Promise<void> {
  const aside = join(running, `${halfMadePrefix}${metadata.uuid}`);
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: privateDirectory });
  const files = toJournalFiles(aside);
  const { bytes } = sealLine(body, { previous: '', owner });
  await writeFile(files.messages, bytes, { mode: privateFile, flush: true });
  await replaceFile(files.metadata, formatMetadata(metadata), { sync: false });
  await syncDirectory(aside);
  await rename(aside, join(running, metadata.uuid));
  await syncDirectory(running);
}

const halfWritten = /^[a-z_0-9.-]+\.jsonl?\.tmp$/;

/** Removes what a crashed process was about to replace a file by. Only the owner of the run may call this. */
async function removeHalfWrittenFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile() && halfWritten.test(entry.name));
  for (const { name } of left) await rm(join(directory, name), { force: true });
}

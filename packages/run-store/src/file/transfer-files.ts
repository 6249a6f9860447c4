import { join, sep } from 'node:path';
import type { Logger } from '@agent/text';
import { translated } from '../context-store-error.ts';
import { listEntries } from '../disk/files.ts';
import { moveDirectory, removeIfThere } from '../disk/run-directories.ts';
import { createRecentRuns } from '../index/recent-runs.ts';
import type { Json } from '../journal-model.ts';
import { sealLine } from '../lines/record-line.ts';
import { isStateName } from '../lines/state-name.ts';
import { type JournalFiles, type RunPlacesOptions, toJournalFiles, toRunPlaces } from '../places.ts';
import { findFactName, lostBeginning, type RecordLine, readRecord } from '../record/read-record.ts';
import { readRebuilt } from '../record/rebuild-record.ts';
import { readRunFacts } from '../record/run-record.ts';
import type { RunPlace } from '../run-model.ts';
import type { StorageTransfer, TransferredRun } from '../storage.ts';
import { isNoteName, isUuid } from '../storage-names.ts';
import { buildAside } from './build-aside.ts';
import { listRunFaults } from './check-run-files.ts';
import { rewriteRun } from './rewrite-run.ts';
import { openStateReader } from './run-state.ts';

const placeNames: readonly RunPlace[] = ['completed', 'paused', 'running'];

/** Copies runs out of directories, and into them. */
export function createFileTransfer(
  options: RunPlacesOptions & { readonly logger: Logger | null },
): StorageTransfer {
  const places = toRunPlaces(options);
  const { baseDirectory, logger } = options;
  const recent = createRecentRuns(places.recent, logger);

  async function listRuns(): Promise<ReadonlyMap<string, RunPlace>> {
    const found = new Map<string, RunPlace>();
    for (const place of placeNames)
      for (const uuid of (await listEntries(places[place])).filter(isUuid)) found.set(uuid, place);
    return found;
  }

  async function readStates(uuid: string, directory: string): Promise<Readonly<Record<string, Json>>> {
    const entries = await listEntries(directory, { recursive: true });
    const names = new Set(entries.map((entry) => entry.split(sep).join('/')).filter(isStateName));
    for (const name of (await readRunFacts(directory)).states.keys()) names.add(name);
    const { read } = openStateReader(places, uuid);
    const states: Record<string, Json> = {};
    for (const name of names) {
      // Only files have values: what else stands there is a folder of some.
      const value = entries.some((entry) => entry.startsWith(`${name}${sep}`)) ? null : await read(name);
      if (value !== null) states[name] = value as Json;
    }
    return states;
  }

  /** Builds the run aside, and moves it to its place when it is whole. */
  async function writeRun(run: TransferredRun): Promise<void> {
    const { uuid, place } = run;
    const { files, remove } = await buildAside(run, { running: places.running, logger });
    for (const name of placeNames) await removeIfThere(join(places[name], uuid));
    if (place === 'completed') await recent.add(files.directory);
    await moveDirectory(files.directory, join(places[place], uuid));
    await remove();
  }

  return {
    listRuns: () => translated(listRuns(), 'list the runs'),
    openRun: (uuid, place) => {
      const directory = join(places[place], uuid);
      const run: TransferredRun = {
        ...{ uuid, place },
        readChain: () => readLines(toJournalFiles(directory)),
        readStates: () => translated(readStates(uuid, directory), `read the state of run ${uuid}`),
      };
      return {
        ...run,
        listFaults: () => translated(listRunFaults(toJournalFiles(directory), place), `verify run ${uuid}`),
        rewrite: (change) => translated(rewriteRun(run, { ...options, change }), `rewrite run ${uuid}`),
      };
    },
    writeRun: (run) => translated(writeRun(run), `write run ${run.uuid} in "${baseDirectory}"`),
    listNotes: async () => {
      const entries = await listEntries(baseDirectory);
      const below = entries.filter((name) => isNoteName(`${name}/note`));
      const nested = below.map(async (folder) =>
        (await listEntries(join(baseDirectory, folder)).catch(() => [])).map((name) => `${folder}/${name}`),
      );
      const names = [...entries, ...(await Promise.all(nested)).flat()];
      return names
        .flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
        .filter(isNoteName);
    },
  };
}

/** The lines of a record; of one that has lost its beginning, those that it is made again of. */
async function* readLines(files: JournalFiles): AsyncGenerator<readonly RecordLine[]> {
  if (!(await lostBeginning(files.messages))) return yield* readRecord(files.messages);
  let line = 0;
  let previous = '';
  for await (const text of readRebuilt(files)) {
    const { bytes, check } = sealLine(text, { previous, owner: null });
    line += 1;
    previous = check;
    const sealed = bytes.subarray(0, -1);
    yield [{ line, check, bytes: sealed, name: findFactName(sealed) }];
  }
}

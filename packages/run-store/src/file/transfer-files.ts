import { join, sep } from 'node:path';
import type { Logger } from '@agent/text';
import { parseJson } from '@agent/text/json';
import { translated } from '../context-store-error.ts';
import { listEntries, readFileIfThere } from '../disk/files.ts';
import { moveDirectory, removeIfThere } from '../disk/run-directories.ts';
import { createRecentRuns } from '../index/recent-runs.ts';
import { verifyRecord } from '../journal/record-reading.ts';
import type { Json } from '../journal-model.ts';
import { isStateName, parseStateText } from '../lines/state-name.ts';
import { type JournalFiles, type RunPlacesOptions, toJournalFiles, toRunPlaces } from '../places.ts';
import { readRunFacts, toRecordSource } from '../record/run-record.ts';
import type { RunPlace } from '../run-model.ts';
import type { StorageTransfer, TransferredRun } from '../storage.ts';
import { isNoteName, isUuid } from '../storage-names.ts';
import { buildAside } from './build-aside.ts';
import { listDocuments } from './files-beside.ts';
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
        readChain: () => toRecordSource(toJournalFiles(directory)).readChain({}),
        readStates: () => translated(readStates(uuid, directory), `read the state of run ${uuid}`),
      };
      return {
        ...run,
        listFaults: () => translated(listRunFaults(toJournalFiles(directory), place), `verify run ${uuid}`),
        rewrite: async (change) => {
          // Loaded when it is asked for: it writes in the index.
          const { rewriteRun } = await import('./rewrite-run.ts');
          return translated(rewriteRun(run, { ...options, change }), `rewrite run ${uuid}`);
        },
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

/**
 * Verifies the files of a run: its record from the first line to the last, the files that repeat what it says, and the values of its state.
 * Those files lag behind the record of a run at work, so that they are compared for others only.
 */
async function listRunFaults(files: JournalFiles, place: RunPlace): Promise<readonly string[]> {
  const { messages, directory } = files;
  const verified = await verifyRecord(toRecordSource(files), { uuid: directory, advice: putBack });
  if (typeof verified === 'string') return [verified];
  const stated = await listStateFaults(directory);
  if (place === 'running') return stated;
  const { tools, summaries, planning } = verified.project();
  const repeated = new Map<string, string | null>([
    [files.tools, tools],
    [files.summaries, summaries],
    [files.planning, planning],
    ...listDocuments(files, verified.facts),
  ]);
  const other = await Promise.all(
    [...repeated].map(async ([path, text]) =>
      ((await readFileIfThere(path)) ?? '') === (text ?? '') ? [] : [path],
    ),
  );
  const faults = other.flat().map((path) => `"${path}" does not say what "${messages}" says. ${restore}`);
  return [...faults, ...(await listContextFaults(files.current)), ...stated];
}

const restore = "Restore the run's directory from a copy.";
const putBack = "Put the file back from a copy, or move the run's directory away.";

/** The context after a summary is the caller's: its lines are JSON, and more is not known of them. */
async function listContextFaults(path: string): Promise<readonly string[]> {
  const lines = ((await readFileIfThere(path)) ?? '').split('\n').filter((line) => line !== '');
  const isRead = lines.every((line) => parseJson(line) !== undefined);
  return isRead ? [] : [`"${path}" has a line that is not JSON. ${restore}`];
}

async function listStateFaults(directory: string): Promise<readonly string[]> {
  const names = (await listEntries(directory, { recursive: true })).filter(isStateName);
  const faults = names.map(async (name) => {
    const path = `${directory}/${name}`;
    const text = await readFileIfThere(path).catch(() => null);
    const isRead = text === null || parseStateText(name, text) !== undefined;
    return isRead ? [] : [`"${path}" is not the JSON that was written there. ${restore}`];
  });
  return (await Promise.all(faults)).flat();
}

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlVerb, RunStorage } from '@agent/run-store';
import { createFileStorage } from '@agent/run-store/file';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { loadConfig } from '../../src/config/load-config.ts';
import { openStorage } from '../../src/config/open-storage.ts';

const twoDaysMs = 172_800_000;

type RunPlace = 'running' | 'paused' | 'completed';

/** True where the stories are told with runs in a real PostgreSQL; false for files, the default. */
export const isOnPostgres = process.env.AGENT_TEST_STORAGE === 'postgres';

/**
 * Gives a story the milliseconds that it may take in files, or three times as many in a database: what a killed process had is free
 * 10 to 16 seconds later there.
 */
export const toTimeLimit = (inFilesMs: number): number => (isOnPostgres ? 3 : 1) * inFilesMs;

/** Makes a place of its own in the database that all tests share: what the configuration and the environment say of it. */
export async function createPlaceInDatabase() {
  const schema = `story_${randomUUID().replaceAll('-', '')}`;
  const environment = { DATABASE_URL: await findSharedPostgres() };
  return { schema, environment, config: { storage: { postgres: { schema } } } };
}

/** Runs of a world as another process sees and steers them, wherever they are kept. */
export interface WorldRuns {
  /** Uuids of the runs at a place. */
  readonly list: (place: RunPlace) => Promise<readonly string[]>;
  /** Reads a file of a run as its directory has it; what is kept in a database is copied into files for that. */
  readonly readFile: (uuid: string, name: string) => Promise<string>;
  /** Asks a run for something, as the commands do. */
  readonly ask: (uuid: string, verb: ControlVerb) => Promise<void>;
  /** Requests that wait, as `{uuid}.{verb}`. */
  readonly listAsked: () => Promise<readonly string[]>;
  /** Has everything pause until it is taken back. */
  readonly pauseAll: () => Promise<void>;
  readonly resumeAll: () => Promise<void>;
  /** Removes the runs that ended, while no daemon works there. */
  readonly removeEnded: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the runs that a world's configuration leads to; nothing is read before it is asked for. */
export function openWorldRuns({
  configFile,
  directory,
}: {
  readonly configFile: string;
  /** That of the world. */
  readonly directory: string;
}): WorldRuns {
  let opened: Promise<RunStorage> | null = null;
  const open = (): Promise<RunStorage> => {
    opened ??= loadConfig(configFile, {}).then((loaded) => openStorage(loaded, {}));
    return opened;
  };
  const transferOf = async () => {
    const { transfer } = await open();
    if (transfer === undefined) throw new Error('the storage has no copies of its runs');
    return transfer;
  };
  return {
    list: async (place) => {
      const runs = [...(await (await transferOf()).listRuns())];
      return runs.flatMap(([uuid, lies]) => (lies === place ? [uuid] : []));
    },
    readFile: async (uuid, name) => {
      const transfer = await transferOf();
      const place = (await transfer.listRuns()).get(uuid);
      if (place === undefined) throw new Error(`there is no run ${uuid}`);
      if (!isOnPostgres) return readFile(join(directory, 'contexts', place, uuid, name), 'utf8');
      const copies = join(directory, 'copies', randomUUID());
      await createFileStorage({ baseDirectory: copies }).transfer?.writeRun(transfer.openRun(uuid, place));
      return readFile(join(copies, place, uuid, name), 'utf8');
    },
    ask: async (uuid, verb) => (await open()).controls.request(uuid, verb),
    listAsked: async () => (await (await open()).controls.list()).map(({ uuid, verb }) => `${uuid}.${verb}`),
    pauseAll: async () => (await open()).pauseSignal.set(),
    resumeAll: async () => (await open()).pauseSignal.clear(),
    removeEnded: async () => {
      // It goes by whole days: today is over in two days.
      const storage = await openStorage(await loadConfig(configFile, {}), {
        now: () => Date.now() + twoDaysMs,
      });
      const owner = await storage.members.acquire();
      await storage.upkeep.cleanUp({ keepDays: 0 }).finally(owner.release);
      await storage.close();
    },
    close: async () => (await opened)?.close(),
  };
}

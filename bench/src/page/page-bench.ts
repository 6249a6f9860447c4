import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFileStorage } from '@agent/run-store/file';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { startBenchServer } from '../cluster/bench-server.ts';
import type { Bench, Report } from '../report.ts';
import { fillLive, type PlaceSize, repeatInFiles, repeatInRows } from './fill-place.ts';
import { measureWatch, type WatchFigures } from './measure-watch.ts';

const size: PlaceSize = { running: 500, paused: 3_500, ended: 100_000 };
const waiting = 1_000;

/** Runs as they look from outside: the board's first page with many tasks, and the time until a change is told. */
export const pageBench: Bench = {
  name: 'page',
  fromSources: true,
  run: async ({ onProgress }) => {
    collectOnDemand();
    onProgress('filling files');
    const files = await measureFiles(onProgress);
    onProgress('filling PostgreSQL');
    const rows = await measureRows(onProgress);
    return toReport([
      ['files', files],
      ['PostgreSQL', rows],
    ]);
  },
};

function collectOnDemand(): void {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as typeof globalThis.gc;
}

type Progress = (message: string) => void;

async function measureFiles(onProgress: Progress): Promise<WatchFigures> {
  const baseDirectory = await mkdtemp(join(tmpdir(), 'page-bench-'));
  try {
    const { store, uuid, endOne } = await fillLive(createFileStorage({ baseDirectory }), size);
    await endOne();
    await repeatInFiles(baseDirectory, size);
    onProgress('watching files');
    return await measureWatch(createFileStorage({ baseDirectory }), { store, uuid, waiting });
  } finally {
    await rm(baseDirectory, { recursive: true, force: true });
  }
}

async function measureRows(onProgress: Progress): Promise<WatchFigures> {
  const server = await startBenchServer();
  const schema = server.nameSchema();
  const [database, beside] = await Promise.all([
    connectPostgres({ url: server.url }),
    connectPostgres({ url: server.url }),
  ]);
  try {
    const { store, uuid, endOne } = await fillLive(createPostgresStorage({ database, schema }), size);
    await repeatInRows(beside, { schema, uuid: await endOne(), size });
    onProgress('watching PostgreSQL');
    return await measureWatch(createPostgresStorage({ database: beside, schema }), { store, uuid, waiting });
  } finally {
    await Promise.all([database.close(), beside.close()]);
    await server.remove();
  }
}

const round = (value: number) => Math.round(value * 10) / 10;

function toReport(places: readonly (readonly [string, WatchFigures])[]): Report {
  const live = size.running + size.paused + waiting;
  return {
    title: `The board with ${live} tasks and ${size.ended} runs that ended`,
    tables: [
      {
        caption: 'Milliseconds, the slowest of 20; memory after a collection',
        columns: [
          '',
          'first answer',
          'all loaded',
          'first page',
          'nobody listens',
          'search',
          'change',
          'heap MB',
        ],
        rows: places.map(([name, figures]) => [
          name,
          ...[figures.cold, figures.loaded, figures.firstPage, figures.lonePage].map(round),
          ...[figures.search, figures.change, figures.heapMb].map(round),
        ]),
      },
    ],
    goals: places.flatMap(([name, { firstPage, change }]) => [
      { name: `first page, ${name}`, measured: round(firstPage), atMost: 100, unit: 'ms' },
      { name: `a change is told, ${name}`, measured: round(change), atMost: 1_000, unit: 'ms' },
    ]),
    notes: [
      'The first answer is that of a process which knows nothing yet; then all runs that ended are read in the background.',
      'The change is written by another opening of the place, and told to a listener in the same process as the figures.',
    ],
  };
}

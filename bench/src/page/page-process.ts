import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFileStorage } from '@agent/run-store/file';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { startBenchServer } from '../cluster/bench-server.ts';
import { fillLive, repeatInFiles, repeatInRows } from './fill-place.ts';
import { measureWatch, type WatchFigures } from './measure-watch.ts';
import type { PageQuestion } from './page-bench.ts';

// A process of its own for each place, so that the memory of one is not that of the other.
process.once('message', (question: PageQuestion) => {
  collectOnDemand();
  const measure = question.place === 'files' ? measureFiles : measureRows;
  void measure(question).then(
    (figures) => say({ figures }),
    (error: unknown) => say({ error: String(error) }),
  );
});

function say(answer: object): void {
  process.send?.(answer);
  process.disconnect();
}

function collectOnDemand(): void {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as typeof globalThis.gc;
}

async function measureFiles({ size, waiting }: PageQuestion): Promise<WatchFigures> {
  const baseDirectory = await mkdtemp(join(tmpdir(), 'page-bench-'));
  try {
    const { store, uuid, endOne } = await fillLive(createFileStorage({ baseDirectory }), size);
    await endOne();
    await repeatInFiles(baseDirectory, size);
    return await measureWatch(createFileStorage({ baseDirectory }), { store, uuid, waiting });
  } finally {
    await rm(baseDirectory, { recursive: true, force: true });
  }
}

async function measureRows({ size, waiting }: PageQuestion): Promise<WatchFigures> {
  const server = await startBenchServer();
  const schema = server.nameSchema();
  const [database, beside] = await Promise.all([
    connectPostgres({ url: server.url }),
    connectPostgres({ url: server.url }),
  ]);
  try {
    const { store, uuid, endOne } = await fillLive(createPostgresStorage({ database, schema }), size);
    await repeatInRows(beside, { schema, uuid: await endOne(), size });
    return await measureWatch(createPostgresStorage({ database: beside, schema }), { store, uuid, waiting });
  } finally {
    await Promise.all([database.close(), beside.close()]);
    await server.remove();
  }
}

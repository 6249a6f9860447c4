import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleRun, toHash } from '../sample-run.ts';
import { storeKinds } from './store-kinds.ts';
import { toRow } from './to-row.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'index-bench-test-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe.each(Object.entries(storeKinds))('%s', (_, load) => {
  it('finds what was filled in, inserted and updated, also when it is opened again', async () => {
    const kind = await load();
    await kind.fill(directory, [0, 1, 2].map(sampleRun).map(toRow));
    const store = await kind.open(directory);
    await store.insert(sampleRun(3));
    await store.insert({ ...sampleRun(4), taskKeyHash: toHash(3) });
    await store.update({ ...sampleRun(1), status: 'failed' });
    store.close();
    const again = await kind.open(directory);
    const counts = await Promise.all([0, 1, 2, 3, 5].map((number) => again.find(toHash(number))));
    again.close();
    expect(counts).toEqual([1, 1, 1, 2, 0]);
  });
});

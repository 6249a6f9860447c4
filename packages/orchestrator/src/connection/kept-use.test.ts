import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequestBudget } from '@agent/platforms/sources';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileStorage, toRecordDirectories } from '../host/open-storage.ts';
import { createKeptUse } from './kept-use.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kept-use-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };

/** Opens the budget of a credential as a process does at its start. */
async function start(credentialKey = 'token') {
  const { notes } = await openFileStorage(toRecordDirectories(directory));
  const now = () => clock.ms;
  const budget = createRequestBudget({
    ...{ now, credentialKey, contentsPerHour: 5, contentsPerRun: 1 },
    shared: createKeptUse(notes, { now, signal: new AbortController().signal }),
    sleep: async () => {
      clock.ms += 1_000;
    },
  });
  const create = (times: number) => {
    for (let count = 0; count < times; count += 1)
      budget.record({ method: 'POST', route: 'POST /issues/{number}/comments', status: 201, counted: true });
  };
  const readHolds = async () => {
    const poller = budget.open();
    clock.ms += 1_000;
    await poller.refresh();
    poller.close();
    return budget.runHolds(0).map(({ cause }) => cause);
  };
  return { create, readHolds };
}

describe('requests of a credential that one process at a time has', () => {
  it('are counted by the process after it, also after a crash, until an hour has passed', async () => {
    const first = await start();
    first.create(5);
    expect(await first.readHolds()).toEqual(['content_writes']);
    // Nothing is called at a crash.
    const second = await start();
    expect(await second.readHolds()).toEqual(['content_writes']);
    const other = await start('another token');
    expect(await other.readHolds()).toEqual([]);
    clock.ms += 3_600_000;
    expect(await second.readHolds()).toEqual([]);
    expect(await (await start()).readHolds()).toEqual([]);
  });
});

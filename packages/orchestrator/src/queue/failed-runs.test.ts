import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { openReader } from '../host/open-records.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { createFailedRuns } from './failed-runs.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

function open(platforms: readonly Pick<ConfiguredPlatform, 'platform'>[] = [{ platform: bed.platform }]) {
  const storage = bed.openStorage();
  const { controls } = storage;
  const failed = createFailedRuns({
    reader: openReader(storage),
    controls,
    platforms: platforms as readonly ConfiguredPlatform[],
    now: () => bed.clock.ms,
    logger: bed.logger,
  });
  return { controls, failed };
}

it('a run that failed is listened to, unless its platform is configured no more', async () => {
  const uuid = await bed.addRun({ status: 'failed' });
  expect(await open().failed.listHeld()).toMatchObject([{ paused: { uuid }, standing: 'failed' }]);
  expect(await open([]).failed.listHeld()).toEqual([]);
});

it('a run that failed and is not settled is listened to and gone on from like any other [NX-113]', async () => {
  const uuid = await bed.addRun({ status: 'failed', isSettled: false });
  const { controls, failed } = open();
  expect(await failed.listHeld()).toMatchObject([{ paused: { uuid }, standing: 'failed' }]);
  await controls.request(uuid, 'retry');
  expect(await failed.listRetries()).toMatchObject([{ kind: 'retry', runId: uuid }]);
  await bed.addRun({ status: 'completed' });
  expect(await failed.listHeld()).toEqual([]);
});

it('the run that somebody named is gone on from, and no other of its thread', async () => {
  const first = await bed.addRun({ status: 'failed' });
  const last = await bed.addRun({ status: 'failed' });
  const { controls, failed } = open();
  await controls.request(first, 'retry');
  expect(await failed.listRetries()).toEqual([]);
  expect(await controls.list()).toEqual([]);
  expect(bed.logged('warn')).toMatchObject([{ run: first }]);
  await controls.request(last, 'retry');
  expect(await failed.listRetries()).toMatchObject([{ kind: 'retry', runId: last }]);
});

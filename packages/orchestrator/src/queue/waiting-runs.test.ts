import { randomUUID } from 'node:crypto';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import type { Json } from '@agent/run-store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import type { HeldRun } from '../listening/paused-listener.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { createRunRecovery } from './run-recovery.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

/** A run that was paused with this, and the list of paused runs. */
async function setUp(waitsFor: Json) {
  const { store, platform, key, logger } = bed;
  const now = () => bed.clock.ms;
  const uuid = randomUUID();
  const metadata = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  await store.open({ uuid, ...metadata, user: 'alice', config: {}, extra: {} });
  await store.pause(uuid, { lastError: null, planningState: { enabled: true, waits_for: waitsFor } });
  const { controls } = bed.openStorage();
  const listened: HeldRun[] = [];
  const { listPaused } = createRunRecovery({
    ...{ store, controls, now, logger, pausedTaskExpiryDays: 30 },
    readRun: () => Promise.reject(new Error('nothing was left')),
    platforms: [{ platform } as Partial<ConfiguredPlatform> as ConfiguredPlatform],
    listener: { listen: async (held) => void listened.splice(0, listened.length, ...held) },
    failed: { listHeld: async () => [], listRetries: async () => [] },
    show: async () => {},
  });
  const look = async () => {
    const [entry] = await listPaused([]);
    return { held: entry?.held, waitsFor: listened[0]?.waitsFor };
  };
  return { uuid, controls, look };
}

const minutes = (count: number) => new Date(bed.clock.ms + count * 60_000).toISOString();

it('a run that asked something is listened to until its time is up, and then goes on [NX-124]', async () => {
  const { look } = await setUp({ kind: 'answer', id: 'question-1', until: minutes(30) });
  expect(await look()).toEqual({ held: true, waitsFor: 'answer' });
  bed.clock.ms += 31 * 60_000;
  expect(await look()).toEqual({ held: false, waitsFor: undefined });
});

it('a run that waits for an approval goes on when that is there, when it is resumed, or told to stop [NX-123, NX-124]', async () => {
  for (const verb of ['resume', 'stop'] as const) {
    const { look, controls, uuid } = await setUp({ kind: 'approval', id: 'approval-1', until: null });
    bed.clock.ms += 86_400_000;
    expect(await look()).toEqual({ held: true, waitsFor: 'approval' });
    await controls.request(uuid, verb);
    expect((await look()).held).toBe(false);
    await bed.close();
    bed = await makePastBed();
  }
});

it('a run that somebody paused while it waits stays so, whoever answers [NX-124, RL-2]', async () => {
  const { look, controls, uuid } = await setUp({ kind: 'answer', id: 'question-1', until: minutes(30) });
  await controls.request(uuid, 'pause');
  bed.clock.ms += 31 * 60_000;
  expect(await look()).toEqual({ held: true, waitsFor: null });
});

it('a run that waits for nothing goes on as soon as it may', async () => {
  const { look } = await setUp(null);
  expect((await look()).held).toBe(false);
});

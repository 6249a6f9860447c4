import { formatTaskKey, PlatformError, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { createDoorbell } from '@agent/platforms/sources';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { makeFacts } from '../../test/facts-for-test.ts';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import { taskStopSchema } from '../config/run-settings.ts';
import { toFactsJson } from '../run/run-facts.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import type { HeldRun } from './paused-listener.ts';
import { createPausedWatch, forgetWait, readStopCause } from './watch-paused.ts';

const uuid = '3f0c9a52-6a0e-4b7e-9f0e-0d6f3c1a2b4c';
const minute = 60_000;
const labels = {
  ...{ waiting: 'agent', processing: 'works', completed: 'done' },
  ...{ failed: 'failed', paused: 'paused', stopped: 'stopped' },
};

async function setUp(options: Partial<Pick<HeldRun, 'standing' | 'waitsFor'>> & { assigned?: boolean } = {}) {
  const { assigned = false, ...standing } = options;
  const repositories = [{ path: 'octo/hello', files: {}, access: { alice: 'write' } }] as const;
  const platform = createMemoryPlatform({ repositories });
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  platform.people.setLabels(key, ['paused', 'bug']);
  if (assigned) platform.people.assign(key, ['agent']);
  const clock = { ms: 0 };
  const values = new Map<string, unknown>();
  const state = {
    read: async (name: string) => values.get(name) ?? null,
    write: async (name: string, value: unknown) => void values.set(name, value),
  };
  const outbox = openMemoryOutbox({ now: () => clock.ms });
  const asked: string[] = [];
  const doorbell = createDoorbell();
  const { id: repositoryId } = (await platform.openThread(key).repository?.describe()) ?? { id: '' };
  let reads = 0;
  const openThread: typeof platform.openThread = (opened) => {
    const ports = platform.openThread(opened);
    const readThread: typeof ports.reader.readThread = (call) => {
      reads += 1;
      return ports.reader.readThread(call);
    };
    return { ...ports, reader: { ...ports.reader, readThread } };
  };
  const place = { id: repositoryId, path: 'octo/hello', cloneUrl: 'x', branch: 'y' };
  const repository = { ...place, baseBranch: 'main', isOwn: true };
  const metadata = {
    ...{ taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) },
    extra: toFactsJson(makeFacts({ number: key.number, assigned, repository })),
  };
  const run = {
    paused: { uuid, metadata },
    platform: { platform: { ...platform, openThread }, trigger: createLabelTrigger(platform, labels) },
    ...standing,
  } as unknown as HeldRun;
  const makeWatch = () =>
    createPausedWatch({
      store: { openState: () => state, openOutbox: () => outbox },
      controls: { request: async (_, verb) => void asked.push(verb) },
      settings: taskStopSchema.parse({}),
      ...{ doorbell, now: () => clock.ms, logger: pino({ level: 'silent' }) },
    });
  const watch = makeWatch();
  const check = async (at = watch) => {
    clock.ms += 5 * minute;
    const held = await at.check([run]);
    return { held: held.length, asked: [...asked], cause: await readStopCause(state) };
  };
  const ring = () => doorbell.ring({ key, commentId: null, updatedAt: null, deleted: false });
  const waits = { held: 1, asked: [], cause: null };
  const stops = (cause: string) => ({ held: 0, asked: ['stop'], cause });
  return {
    platform,
    key,
    clock,
    run,
    state,
    watch,
    makeWatch,
    check,
    ring,
    waits,
    stops,
    reads: () => reads,
  };
}

describe('a run that waits', () => {
  it('is stopped by closing its issue, and by nothing before [RL-2]', async () => {
    const { platform, key, check, waits, stops } = await setUp();
    expect(await check()).toEqual(waits);
    platform.people.closeThread(key);
    expect(await check()).toEqual(stops('closed'));
  });

  it('is stopped by taking away its label, also while no process ran [RL-2]', async () => {
    const { platform, key, makeWatch, check, waits, stops } = await setUp();
    expect(await check()).toEqual(waits);
    platform.people.setLabels(key, ['bug']);
    expect(await check(makeWatch())).toEqual(stops('unlabeled'));
  });

  it('goes on waiting while its label is not shown yet, or is replaced by that of a new request [RL-2]', async () => {
    const { platform, key, check, waits } = await setUp();
    platform.people.setLabels(key, []);
    expect(await check()).toEqual(waits);
    platform.people.setLabels(key, ['paused']);
    expect(await check()).toEqual(waits);
    platform.people.setLabels(key, ['agent']);
    expect(await check()).toEqual(waits);
  });

  it('goes on waiting after it resumed, while the label of its next wait is not shown yet [RL-2]', async () => {
    const { platform, key, state, makeWatch, check, waits } = await setUp();
    expect(await check()).toEqual(waits);
    await forgetWait(state);
    platform.people.setLabels(key, []);
    expect(await check(makeWatch())).toEqual(waits);
  });

  it('is stopped by taking away its assignment [RL-2, X13]', async () => {
    const { platform, key, check, waits, stops } = await setUp({ assigned: true });
    expect(await check()).toEqual(waits);
    platform.people.assign(key, []);
    expect(await check()).toEqual(stops('unassigned'));
  });

  it('is stopped by deleting its issue [RL-2]', async () => {
    const { platform, check, waits, stops } = await setUp({ waitsFor: 'follow-up' });
    expect(await check()).toEqual(waits);
    const gone = new PlatformError('There is no such issue.', { code: 'not-found' });
    for (let request = 0; request < 2; request += 1)
      platform.failNext({ operation: 'readThread', error: gone });
    expect(await check()).toEqual(stops('deleted'));
  });

  it('is left to its follow-up when its issue is closed, loses the label or the assignment [RL-2]', async () => {
    const { platform, key, check, waits } = await setUp({ waitsFor: 'follow-up', assigned: true });
    expect(await check()).toEqual(waits);
    platform.people.setLabels(key, []);
    platform.people.assign(key, []);
    platform.people.closeThread(key);
    expect(await check()).toEqual(waits);
  });

  it('costs one request in half a minute, and one after each webhook [RL-3]', async () => {
    const { clock, run, watch, check, ring, reads } = await setUp();
    await check();
    for (let poll = 0; poll < 29; poll += 1) {
      clock.ms += 1_000;
      await watch.check([run]);
    }
    expect(reads()).toBe(1);
    ring();
    await watch.check([run]);
    expect(reads()).toBe(2);
    await check();
    expect(reads()).toBe(3);
  });

  it('is not watched when it has failed: it can only be retried [RL-2]', async () => {
    const { check, reads } = await setUp({ standing: 'failed' });
    await check();
    expect(reads()).toBe(0);
  });
});

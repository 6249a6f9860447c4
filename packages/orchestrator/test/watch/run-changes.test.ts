import { expect, it } from 'vitest';
import type { PageChange } from '../../src/watch/follow-runs.ts';
import { createRunChanges } from '../../src/watch/run-changes.ts';

const ofRun = (uuid: string): PageChange => ({ uuid, threadKey: null });
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Looks that take as long as a test says, by a clock of its own. */
function begin() {
  let time = 0;
  const began: number[] = [];
  const sleeps: number[] = [];
  let takesMs = 0;
  let isSweeping = false;
  let found: readonly PageChange[] = [];
  let fails = false;
  let ring = () => {};
  const heard: (string | null)[] = [];
  const errors: unknown[] = [];
  let wake = () => {};
  const changes = createRunChanges({
    runs: {
      refresh: async () => {
        began.push(time);
        time += takesMs;
        if (fails) throw new Error('The place does not answer.');
        const all = found;
        found = [];
        return all;
      },
      sweep: () => (isSweeping ? new Promise(() => {}) : Promise.resolve([])),
    },
    hear: (listener) => {
      ring = listener;
      return () => {};
    },
    onError: (error) => void errors.push(error),
    now: () => time,
    sleep: (milliseconds, signal) => {
      sleeps.push(milliseconds);
      return new Promise((resolve) => {
        wake = () => {
          time += milliseconds;
          resolve();
        };
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  });
  return {
    ...{ changes, began, sleeps, heard, errors },
    listen: async () => {
      const stop = changes.subscribe(({ uuid }) => void heard.push(uuid));
      await settle();
      return stop;
    },
    next: async () => {
      wake();
      await settle();
    },
    ring: async () => {
      ring();
      await settle();
    },
    let: (how: {
      takesMs?: number;
      isSweeping?: boolean;
      found?: readonly PageChange[];
      fails?: boolean;
    }) => {
      takesMs = how.takesMs ?? takesMs;
      isSweeping = how.isSweeping ?? isSweeping;
      found = how.found ?? found;
      fails = how.fails ?? fails;
    },
  };
}

it('looks four times a second, counted from begin to begin, and rests after a look that took long [NX-366]', async () => {
  const bed = begin();
  bed.let({ takesMs: 120 });
  const stop = await bed.listen();
  await bed.next();
  await bed.next();
  expect(bed.began).toEqual([0, 250, 500]);
  bed.let({ takesMs: 300 });
  await bed.next();
  await bed.next();
  expect(bed.began).toEqual([0, 250, 500, 750, 1_150]);
  stop();
});

it('tells a change before it looks for runs that were removed, which takes long [NX-366]', async () => {
  const bed = begin();
  bed.let({ isSweeping: true, found: [ofRun('a')] });
  const stop = await bed.listen();
  expect(bed.heard).toEqual(['a']);
  expect(bed.changes.isLive()).toBe(true);
  stop();
});

it('looks soon where this process did something itself [NX-366]', async () => {
  const bed = begin();
  const stop = await bed.listen();
  await bed.ring();
  expect(bed.sleeps).toEqual([250, 50]);
  bed.let({ found: [ofRun('a')] });
  await bed.next();
  expect(bed.heard).toEqual(['a']);
  stop();
});

it('says that a look failed, is not taken for live meanwhile, and looks again [NX-366]', async () => {
  const bed = begin();
  bed.let({ fails: true });
  const stop = await bed.listen();
  expect(bed.errors).toHaveLength(1);
  expect(bed.changes.isLive()).toBe(false);
  bed.let({ fails: false, found: [ofRun('a')] });
  await bed.next();
  expect(bed.heard).toEqual(['a']);
  expect(bed.changes.isLive()).toBe(true);
  stop();
});

import { expect, it } from 'vitest';
import { createKeepFresh } from '../../src/watch/index.ts';

it('follows the runs while somebody looks and five minutes longer, once however many look [NX-362]', async () => {
  let time = 0;
  let listeners = 0;
  let wake = () => {};
  const changes = {
    subscribe: () => {
      listeners += 1;
      return () => {
        listeners -= 1;
      };
    },
  };
  const sleep = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const pass = async (milliseconds: number) => {
    time += milliseconds;
    wake();
    await Promise.resolve();
    await Promise.resolve();
  };
  const closed = new AbortController();
  const look = createKeepFresh({ changes }, { now: () => time, sleep, closed: closed.signal });
  expect(listeners).toBe(0);
  look();
  look();
  expect(listeners).toBe(1);
  await pass(240_000);
  look();
  await pass(240_000);
  expect(listeners).toBe(1);
  await pass(60_000);
  expect(listeners).toBe(0);
  look();
  expect(listeners).toBe(1);
  closed.abort();
  await pass(1);
  expect(listeners).toBe(0);
});

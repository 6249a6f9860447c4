import { expect, it } from 'vitest';
import { createWatch } from './silent-jobs.ts';

const silent = [{ id: 'a', sign: '12:00:00' }];
const alive = [{ id: 'a', sign: '12:01:10' }];

/** A process that looks each three seconds, from the first time on. */
function openWatch() {
  let at = 0;
  const watch = createWatch(() => at);
  return (afterMs: number, jobs: typeof silent) => {
    at += afterMs;
    return watch(jobs);
  };
}

it('a process takes nobody for dead at its first looks, which may follow an outage: a worker that tries again each five seconds shows that it lives [NX-178]', () => {
  const look = openWatch();
  expect([look(0, silent), look(3_000, silent), look(3_000, silent)]).toEqual([[], [], []]);
  expect(look(2_900, alive)).toEqual([]);
  expect([look(3_000, []), look(3_000, [])]).toEqual([[], []]);
});

it('a worker that stays silent from the first look of another on is dead nine seconds later [NX-178]', () => {
  const look = openWatch();
  expect([look(0, silent), look(3_000, silent), look(3_000, silent)]).toEqual([[], [], []]);
  expect(look(3_000, silent)).toEqual(silent);
});

it('a worker that falls silent later is dead at the second look after the one that found it so [NX-157]', () => {
  const look = openWatch();
  for (let looks = 0; looks < 5; looks += 1) expect(look(3_000, [])).toEqual([]);
  expect([look(3_000, silent), look(3_000, silent)]).toEqual([[], []]);
  expect(look(3_000, silent)).toEqual(silent);
});

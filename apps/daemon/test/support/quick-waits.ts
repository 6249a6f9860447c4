import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';
import { readMachineLoad } from './machine-load.ts';

/**
 * Preloaded into a daemon under test (`node --import`): its monotonic clock runs a hundred times faster, or as fast as
 * the environment says, and what it waits out deliberately takes as much less. Half a minute is how long an answer may
 * take: three seconds are left of it, as a busy machine needs some of them. What may take ten seconds or longer takes
 * longer on a busy machine, as it is mostly a limit on a program that has to start.
 */
const speed = Number(process.env.WAIT_SPEED ?? 100);
const [limitMs, leftOfLimitMs] = [30_000, 3_000];
const longMs = 10_000;
const wait = timers.setTimeout;
const readClock = performance.now.bind(performance);

function shorten(milliseconds: number): number {
  if (milliseconds < longMs) return Math.ceil(milliseconds / speed);
  const left = milliseconds === limitMs ? leftOfLimitMs : milliseconds / speed;
  return Math.ceil(left * readMachineLoad());
}

performance.now = () => readClock() * speed;
timers.setTimeout = ((milliseconds = 0, ...rest: [unknown?, object?]) =>
  wait(shorten(milliseconds), ...rest)) as typeof timers.setTimeout;
syncBuiltinESMExports();

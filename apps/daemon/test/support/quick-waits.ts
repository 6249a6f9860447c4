import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';

/**
 * Preloaded into a daemon under test (`node --import`): its monotonic clock runs a hundred times faster, or as fast as
 * the environment says, and what it waits out deliberately takes as much less. Half a minute is how long an answer may
 * take: three seconds are left of it, as a busy machine needs some of them.
 */
const speed = Number(process.env.WAIT_SPEED ?? 100);
const [limitMs, leftOfLimitMs] = [30_000, 3_000];
const wait = timers.setTimeout;
const readClock = performance.now.bind(performance);

performance.now = () => readClock() * speed;
timers.setTimeout = ((milliseconds?: number, ...rest: [unknown?, object?]) =>
  wait(
    milliseconds === limitMs ? leftOfLimitMs : Math.ceil((milliseconds ?? 0) / speed),
    ...rest,
  )) as typeof timers.setTimeout;
syncBuiltinESMExports();

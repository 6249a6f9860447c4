import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';

/**
 * Preloaded into a daemon under test (`node --import`): its monotonic clock runs a hundred times faster, or as fast as
 * the environment says, and what it waits out deliberately takes as much less.
 */
const speed = Number(process.env.WAIT_SPEED ?? 100);
const wait = timers.setTimeout;
const readClock = performance.now.bind(performance);

performance.now = () => readClock() * speed;
timers.setTimeout = ((milliseconds?: number, ...rest: [unknown?, object?]) =>
  wait(Math.ceil((milliseconds ?? 0) / speed), ...rest)) as typeof timers.setTimeout;
syncBuiltinESMExports();

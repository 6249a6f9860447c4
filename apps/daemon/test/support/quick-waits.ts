import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** Preloaded into a daemon under test (`node --import`): what it waits out deliberately takes a moment. */
const longestWaitMs = 20;
const wait = timers.setTimeout;

timers.setTimeout = ((milliseconds?: number, ...rest: [unknown?, object?]) =>
  wait(Math.min(milliseconds ?? 0, longestWaitMs), ...rest)) as typeof timers.setTimeout;
syncBuiltinESMExports();

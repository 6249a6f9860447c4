import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { readMachineLoad } from './machine-load.ts';

/**
 * Preloaded into a daemon under test (`node --import`): what it would wait a minute or longer for, such as a tool that
 * does not answer, it waits for thirty times shorter, or less so on a busy machine. All else takes its time, so that programs can start.
 */
const speed = 30;
const leastMs = 60_000;
const wait = timers.setTimeout;

timers.setTimeout = ((milliseconds = 0, ...rest: [unknown?, object?]) =>
  wait(
    milliseconds < leastMs ? milliseconds : (milliseconds / speed) * readMachineLoad(),
    ...rest,
  )) as typeof timers.setTimeout;
syncBuiltinESMExports();

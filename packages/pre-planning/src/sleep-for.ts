import { setTimeout as wait } from 'node:timers/promises';
import type { CallOptions } from './ports.ts';

/** Waits, and gives up as soon as the signal says so. */
export type Sleep = (milliseconds: number, options: CallOptions) => Promise<void>;

export const sleepFor: Sleep = async (milliseconds, { signal }) => {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
};

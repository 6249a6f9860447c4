import { setTimeout as wait } from 'node:timers/promises';
import type { CallOptions } from './ports.ts';

/** Waits, and gives up as soon as the signal says so. */
export async function sleepFor(milliseconds: number, { signal }: CallOptions): Promise<void> {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
}

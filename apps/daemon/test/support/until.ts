import { setTimeout as delay } from 'node:timers/promises';
import { toTimeLimit } from './world-runs.ts';

const roundMs = 20;

/** Looks again and again until the answer is yes. @throws Error with the description when it is no for too long */
export async function until(
  description: string,
  look: () => boolean | Promise<boolean>,
  { timeoutMs = toTimeLimit(60_000) }: { readonly timeoutMs?: number } = {},
): Promise<void> {
  for (let round = 0; round < timeoutMs / roundMs; round += 1) {
    if (await look()) return;
    await delay(roundMs);
  }
  throw new Error(`It never came to pass: ${description}`);
}

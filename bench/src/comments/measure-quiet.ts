import { findMedian } from '../statistics.ts';
import { subtractTraffic } from './metered-fetch.ts';
import type { Watcher } from './watchers.ts';

/** What one check costs when nobody has said anything. */
export interface QuietCosts {
  readonly requests: number;
  readonly counted: number;
  readonly bytes: number;
  readonly processorMs: number;
}

/** Who checks, and how often in a round. */
export interface QuietWatcher {
  readonly watcher: Watcher;
  readonly checks: number;
}

/** Checks in interleaved rounds, so that what else the machine does falls on all alike. */
export async function measureQuiet(
  watchers: readonly QuietWatcher[],
  { clock, rounds }: { readonly clock: { time: number }; readonly rounds: number },
): Promise<readonly QuietCosts[]> {
  const taken = watchers.map((): QuietCosts[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, one] of watchers.entries()) taken[index]?.push(await measureRound(one, clock));
  }
  return taken.map((costs) => ({
    requests: findMedian(costs.map(({ requests }) => requests)),
    counted: findMedian(costs.map(({ counted }) => counted)),
    bytes: findMedian(costs.map(({ bytes }) => bytes)),
    processorMs: findMedian(costs.map(({ processorMs }) => processorMs)),
  }));
}

async function measureRound({ watcher, checks }: QuietWatcher, clock: { time: number }): Promise<QuietCosts> {
  const before = watcher.read();
  const usage = process.cpuUsage();
  for (let check = 0; check < checks; check += 1) {
    clock.time += 10_000;
    await watcher.check();
  }
  const { user, system } = process.cpuUsage(usage);
  const { requests, counted, bytes } = subtractTraffic(watcher.read(), before);
  return {
    requests: requests / checks,
    counted: counted / checks,
    bytes: bytes / checks,
    processorMs: (user + system) / 1000 / checks,
  };
}

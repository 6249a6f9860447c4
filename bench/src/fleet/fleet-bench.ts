import type { PollPace } from '@agent/platforms/sources';
import type { Bench } from '../report.ts';
import { toFleetReport } from './fleet-report.ts';
import { forkFleets } from './fork-fleets.ts';
import type { FleetSetup } from './measure-fleet.ts';

/** The library's own: a look at what is busy every ten seconds, at what is quiet every ninety. */
const ownPace: PollPace = { shortestMs: 10_000, longestMs: 90_000 };
/** What the daemon sets: as often as the limits allow, at what is quiet every ten seconds. */
const daemonPace: PollPace = { shortestMs: 1_000, longestMs: 10_000 };

const sizes = [
  { tasks: 5_000, repositories: 1 },
  { tasks: 5_000, repositories: 50 },
  { tasks: 500, repositories: 1 },
  { tasks: 500, repositories: 50 },
  { tasks: 50, repositories: 1 },
  { tasks: 50, repositories: 50 },
  { tasks: 1, repositories: 1 },
] as const;

/** Largest first, so that no processor is left with a long one at the end. */
const setups: readonly FleetSetup[] = [
  ...sizes.flatMap((size) =>
    (['polling', 'webhooks'] as const).map((way) => ({ ...size, way, pace: ownPace })),
  ),
  { tasks: 5_000, repositories: 50, way: 'polling', pace: daemonPace },
  { tasks: 500, repositories: 1, way: 'polling', pace: daemonPace },
  { tasks: 50, repositories: 1, way: 'seed', pace: ownPace },
  { tasks: 1, repositories: 1, way: 'seed', pace: ownPace },
];

/** What an hour of many tasks on one credential asks for, and how soon they hear, by a virtual clock. */
export const fleetBench: Bench = {
  name: 'fleet',
  run: async ({ onProgress }) => {
    const figures = await forkFleets(setups, {
      onBegin: ({ tasks, repositories, way }) => onProgress(`${tasks} tasks over ${repositories}, ${way}`),
    });
    const fleets = setups.flatMap((setup, place) => {
      const found = figures[place];
      return found === undefined ? [] : [{ ...setup, ...found, isDaemonPace: setup.pace === daemonPace }];
    });
    return toFleetReport(fleets);
  },
};

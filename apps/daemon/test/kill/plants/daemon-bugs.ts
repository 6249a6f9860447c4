import type { FailingTest, SeededBug } from '@agent/simulators/trials';
import { targetedTrials } from '../faults/scenarios-by-name.ts';
import type { DaemonTrial, Plant } from './plant.ts';
import { plantsAtTheEnd } from './plants-at-the-end.ts';
import { plantsInHearing } from './plants-in-hearing.ts';
import { plantsInPlans } from './plants-in-plans.ts';
import { plantsInRecords } from './plants-in-records.ts';

/** Bugs seeded into the daemon, one or more for each finding of a review. */
export const daemonBugs: readonly (SeededBug<DaemonTrial> & { readonly test: FailingTest })[] = [
  ...plantsAtTheEnd,
  ...plantsInHearing,
  ...plantsInRecords,
  ...plantsInPlans,
].map(({ name, does, changes, test, course, forge = 'github', breaks }: Plant) => ({
  ...{ name, does, changes, test },
  trials: () => {
    const own = targetedTrials.filter(({ targeted }) => targeted.name === course);
    const seed = own.findIndex((trial) => trial.forge === forge);
    if (seed < 0) throw new Error(`there is no course ${course} on ${forge}`);
    // A slow machine may bring a fault too late for its moment.
    return Array.from({ length: 3 }, () => ({ class: course, seed }));
  },
  finds: [typeof breaks === 'string' ? `${breaks}: ` : breaks.says],
}));

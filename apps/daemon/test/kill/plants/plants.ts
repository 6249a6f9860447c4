import type { Plant } from './plant.ts';
import { plantsAtTheEnd } from './plants-at-the-end.ts';
import { plantsInHearing } from './plants-in-hearing.ts';
import { plantsInPlans } from './plants-in-plans.ts';
import { plantsInRecords } from './plants-in-records.ts';

/** All plants of the daemon, one or more for each finding. */
export const plants: readonly Plant[] = [
  ...plantsAtTheEnd,
  ...plantsInHearing,
  ...plantsInRecords,
  ...plantsInPlans,
];

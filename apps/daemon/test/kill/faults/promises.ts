import type { Evidence } from './evidence.ts';
import type { BrokenPromise } from './promise.ts';
import { findBrokenHearing } from './promises-of-hearing.ts';
import { findBrokenPlans } from './promises-of-plans.ts';
import { findBrokenRecords } from './promises-of-records.ts';
import { findBrokenThread } from './promises-of-the-thread.ts';

/** Looks at what a trial left with its own eyes: it knows the promises, and none of the code that is to keep them. */
export function findBrokenPromises(evidence: Evidence): readonly BrokenPromise[] {
  return [
    ...findBrokenHearing(evidence),
    ...findBrokenThread(evidence),
    ...findBrokenRecords(evidence),
    ...findBrokenPlans(evidence),
  ];
}

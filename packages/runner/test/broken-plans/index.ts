import type { BrokenPlan } from './broken-plan.ts';
import { handMade } from './hand-made.ts';
import { miswritten } from './miswritten.ts';
import { spoiled } from './spoiled.ts';

/** Answers to the request for a plan, each broken in a way of its own. */
export const brokenPlans: readonly BrokenPlan[] = [...handMade, ...spoiled, ...miswritten];

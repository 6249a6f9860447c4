import { planKills, planNet, planRefusals, planStale } from './plans.ts';
import {
  planClocks,
  planDiskDamage,
  planFreezes,
  planPages,
  planSteering,
  planTwo,
  planWebhooks,
} from './plans-of-trouble.ts';
import type { PlanTrial } from './random-trial.ts';

/** Kinds of harm, by the names that `--only` takes. */
export const faultClasses: Readonly<Record<string, PlanTrial>> = {
  kill: planKills('kill'),
  tree: planKills('killTree'),
  net: planNet,
  refuse: planRefusals,
  stale: planStale,
  freeze: planFreezes,
  disk: planDiskDamage,
  steer: planSteering,
  pages: planPages,
  webhooks: planWebhooks,
  clock: planClocks,
  two: planTwo,
};

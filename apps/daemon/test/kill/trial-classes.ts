import type { TrialVerdict } from '@agent/simulators/trials';
import { planTrial } from './choose-moments.ts';
import { faultClasses } from './faults/classes.ts';
import { planPlanning } from './faults/planning-course.ts';
import { runFaultTrial } from './faults/random-trial.ts';
import { targetedTrials } from './faults/scenarios-by-name.ts';
import { runTargeted, type Targeted } from './faults/targeted.ts';
import { knownMoments } from './known-moments.ts';
import { planned, scenarios } from './scenarios.ts';
import { runTrial } from './trial.ts';

/** Trials of one class of harm. */
export interface TrialClass {
  readonly name: string;
  /** Everything about a trial follows from its seed. */
  readonly play: (seed: number) => Promise<TrialVerdict>;
}

/** Kills and pauses at the moments that matter most; seeds in a row go through them. */
async function playKnownMoment(seed: number): Promise<TrialVerdict> {
  const known = knownMoments[seed % knownMoments.length];
  if (known === undefined) throw new Error('no moments are known');
  const verdict = await runTrial(known.scenario, known.interruptions);
  return { ...verdict, told: `${known.name}: ${verdict.told}` };
}

/** Kills at a write, a request or a time, and compares the end with that of an undisturbed run. */
async function playMoment(seed: number): Promise<TrialVerdict> {
  const plan = await planTrial(seed, scenarios);
  return runTrial(plan.scenario, plan.interruptions);
}

/** The same of runs that work by a plan, at even seeds; at odd ones people take part in the plan, and the network fails. */
async function playPlans(seed: number): Promise<TrialVerdict> {
  if (seed % 2 === 1) return runFaultTrial(Math.floor(seed / 2), planPlanning);
  const plan = await planTrial(seed / 2, planned);
  return runTrial(plan.scenario, plan.interruptions);
}

/** Seeds in a row go through all of them. */
function toTargetedClass(name: string, isMeant: (targeted: Targeted) => boolean): TrialClass {
  const own = targetedTrials.filter(({ targeted }) => isMeant(targeted));
  return {
    name,
    play: async (seed) => {
      const trial = own[seed % own.length];
      if (trial === undefined) throw new Error(`${name} has no trial`);
      return runTargeted(trial.targeted, trial.forge);
    },
  };
}

/** Finds a class, or a single targeted course, by its name. */
export function findClass(name: string): TrialClass | null {
  const found = trialClasses.find((one) => one.name === name);
  if (found !== undefined) return found;
  const isNamed = (targeted: Targeted): boolean => targeted.name === name;
  return targetedTrials.some(({ targeted }) => isNamed(targeted)) ? toTargetedClass(name, isNamed) : null;
}

/** All classes, in the order in which trials go through them. */
export const trialClasses: readonly TrialClass[] = [
  { name: 'moment', play: playMoment },
  { name: 'known', play: playKnownMoment },
  { name: 'planning', play: playPlans },
  ...Object.entries(faultClasses).map(
    ([name, plan]): TrialClass => ({ name, play: (seed) => runFaultTrial(seed, plan) }),
  ),
  toTargetedClass('targeted', () => true),
];

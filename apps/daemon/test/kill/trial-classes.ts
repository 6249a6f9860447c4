import { planTrial } from './choose-moments.ts';
import { faultClasses } from './faults/classes.ts';
import { planPlanning } from './faults/planning-course.ts';
import { type PlanTrial, runFaultTrial } from './faults/random-trial.ts';
import { targetedTrials } from './faults/scenarios-by-name.ts';
import { runTargeted, type Targeted } from './faults/targeted.ts';
import { knownMoments } from './known-moments.ts';
import { plants } from './plants/plants.ts';
import { runPlantApart } from './plants/run-plants.ts';
import { planned, scenarios } from './scenarios.ts';
import type { TrialVerdict } from './summary.ts';
import { describeDone, runTrial, type TrialResult } from './trial.ts';

/** Trials of one kind. */
export interface TrialClass {
  readonly name: string;
  /** Everything about a trial follows from its seed. */
  readonly run: (seed: number) => Promise<TrialVerdict>;
}

/** Kills and pauses at the moments that matter most; seeds in a row go through them. */
async function runAtKnownMoment(seed: number): Promise<TrialVerdict> {
  const known = knownMoments[seed % knownMoments.length];
  if (known === undefined) throw new Error('no moments are known');
  return toVerdict(known.name, await runTrial(known.scenario, known.interruptions));
}

/** Kills at a write, a request or a time, and compares the end with that of an undisturbed run. */
async function runAtMoment(seed: number): Promise<TrialVerdict> {
  const plan = await planTrial(seed, scenarios);
  return toVerdict(plan.scenario.name, await runTrial(plan.scenario, plan.interruptions));
}

/** The same of runs that work by a plan, at even seeds; at odd ones people take part in the plan, and the network fails. */
async function runPlans(seed: number): Promise<TrialVerdict> {
  if (seed % 2 === 1) return runHarm(Math.floor(seed / 2), planPlanning);
  const plan = await planTrial(seed / 2, planned);
  return toVerdict(plan.scenario.name, await runTrial(plan.scenario, plan.interruptions));
}

function toVerdict(name: string, { done, failure }: TrialResult): TrialVerdict {
  const [why, output = ''] = (failure ?? '').split(/\n(?=--- start )([\s\S]*)/);
  const told = [name, ...done.map(describeDone)].join('; ');
  return { told, broken: failure === null ? [] : [why ?? ''], output };
}

async function runHarm(seed: number, plan: PlanTrial): Promise<TrialVerdict> {
  const { told, broken, output } = await runFaultTrial(seed, plan);
  return {
    told: told.join('; '),
    broken: broken.map(({ promise, shown }) => `${promise}: ${shown}`),
    output,
  };
}

const toClass = ([name, plan]: [string, PlanTrial]): TrialClass => ({
  name,
  run: (seed) => runHarm(seed, plan),
});

/** Faults that are planted in the daemon: the trial goes well where the checker finds them. */
async function runPlanted(seed: number): Promise<TrialVerdict> {
  const plant = plants[seed % plants.length];
  if (plant === undefined) throw new Error('nothing is planted');
  return runPlantApart(plant.name);
}

/** Seeds in a row go through all of them. */
function toTargetedClass(name: string, meant: (targeted: Targeted) => boolean): TrialClass {
  const own = targetedTrials.filter(({ targeted }) => meant(targeted));
  return {
    name,
    run: async (seed) => {
      const trial = own[seed % own.length];
      if (trial === undefined) throw new Error(`${name} has no trial`);
      const { targeted, forge } = trial;
      const { missing, ...result } = await runTargeted(targeted, forge);
      return { told: `${missing === null ? '' : `${missing}; `}${targeted.name} on ${forge}`, ...result };
    },
  };
}

/** The class of that name, or the one course of that name. */
export function findClass(name: string): TrialClass | null {
  const found = trialClasses.find((one) => one.name === name);
  if (found !== undefined) return found;
  const isNamed = (targeted: Targeted): boolean => targeted.name === name;
  return targetedTrials.some(({ targeted }) => isNamed(targeted)) ? toTargetedClass(name, isNamed) : null;
}

/** All classes, in the order in which trials go through them. */
export const trialClasses: readonly TrialClass[] = [
  { name: 'moment', run: runAtMoment },
  { name: 'known', run: runAtKnownMoment },
  { name: 'planning', run: runPlans },
  ...Object.entries(faultClasses).map(toClass),
  toTargetedClass('targeted', () => true),
  { name: 'planted', run: runPlanted },
];

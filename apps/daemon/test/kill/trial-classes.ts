import { planTrial } from './choose-moments.ts';
import { faultClasses } from './faults/classes.ts';
import { type PlanTrial, runFaultTrial } from './faults/random-trial.ts';
import { scenarios } from './scenarios.ts';
import { describeDone, runTrial } from './trial.ts';

/** Trials of one kind. */
export interface TrialClass {
  readonly name: string;
  /** Everything about a trial follows from its seed. */
  readonly run: (seed: number) => Promise<TrialVerdict>;
}

export interface TrialVerdict {
  /** What was done, for people. */
  readonly told: string;
  /** What did not hold. Empty: all is well. */
  readonly broken: readonly string[];
  /** What the processes printed last, where something did not hold. */
  readonly output: string;
}

/** Kills at a write, a request or a time, and compares the end with that of an undisturbed run. */
async function runAtMoment(seed: number): Promise<TrialVerdict> {
  const plan = await planTrial(seed, scenarios);
  const { done, failure } = await runTrial(plan.scenario, plan.interruptions);
  const [why, output = ''] = (failure ?? '').split(/\n(?=--- start )([\s\S]*)/);
  const told = [plan.scenario.name, ...done.map(describeDone)].join('; ');
  return { told, broken: failure === null ? [] : [why ?? ''], output };
}

const toClass = ([name, plan]: [string, PlanTrial]): TrialClass => ({
  name,
  run: async (seed) => {
    const { told, broken, output } = await runFaultTrial(seed, plan);
    return {
      told: told.join('; '),
      broken: broken.map(({ promise, shown }) => `${promise}: ${shown}`),
      output,
    };
  },
});

/** All classes, in the order in which trials go through them. */
export const trialClasses: readonly TrialClass[] = [
  { name: 'moment', run: runAtMoment },
  ...Object.entries(faultClasses).map(toClass),
];

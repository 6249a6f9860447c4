import { readChoice, type TrialKind } from '@agent/simulators/trials';
import { drawTrial } from './draw-trial.ts';
import { followUpBugs } from './follow-up-bugs.ts';
import { judgeTrial } from './judge-trial.ts';
import type { Trial } from './play-trial.ts';
import { trialClasses } from './trial-classes.ts';

/** Runs that follow the change request they opened until its checks pass. */
export const trials: TrialKind<Trial> = {
  help: `[--only CLASS] [--faults none]

Has N runs follow the change request that they opened, on a simulated GitHub and a simulated GitLab, while checks fail, people review,
push by force and change the base, requests and answers get lost, and the process crashes. The judge reads the records of the platform.
--only: the trials of this class: ${trialClasses.join(', ')}. --faults none: without lost requests and crashes.`,
  options: ['only', 'faults'],
  unit: 'change requests',
  defaults: { units: 50, parallel: 1 },
  isInProcess: true,
  open: async ({ only: name, faults }) => {
    const only = readChoice(name, '--only', trialClasses);
    const calm = readChoice(faults, '--faults', ['none']) === undefined ? undefined : true;
    return {
      draw: (seed) => drawTrial(seed, { calm, only: only && [only] }),
      play: judgeTrial,
      close: async () => {},
    };
  },
  bugs: followUpBugs,
};

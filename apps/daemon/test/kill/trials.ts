import { TrialError, type TrialKind } from '@agent/simulators/trials';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import { targetedTrials } from './faults/scenarios-by-name.ts';
import { daemonBugs } from './plants/daemon-bugs.ts';
import type { DaemonTrial } from './plants/plant.ts';
import { findClass, type TrialClass, trialClasses } from './trial-classes.ts';

/** Crashes, faults and people that harm a daemon at work. */
export const trials: TrialKind<DaemonTrial> = {
  help: `[--only NAME[,NAME]]

Harms a real daemon while it works, and judges the records that it leaves. The classes of harm take turns.
--only: these classes or targeted courses.
Classes: ${trialClasses.map(({ name }) => name).join(', ')}
Targeted courses: ${[...new Set(targetedTrials.map(({ targeted }) => targeted.name))].join(', ')}`,
  options: ['only'],
  defaults: { units: 20, parallel: 3 },
  open: async ({ only }, { hasBug }) => {
    const classes = only === undefined ? trialClasses : only.split(',').map(requireClass);
    const bundle = hasBug ? null : await bundleDaemon();
    return {
      draw: (seed) => ({
        class: classes[seed % classes.length]?.name ?? '',
        seed: Math.floor(seed / classes.length),
      }),
      play: async (trial) => {
        const verdict = await requireClass(trial.class).play(trial.seed);
        return { ...verdict, told: `${trial.class}: ${verdict.told}`, counts: { [trial.class]: 1 } };
      },
      close: async () => bundle?.remove(),
    };
  },
  bugs: daemonBugs,
};

function requireClass(name: string): TrialClass {
  const found = findClass(name);
  if (found !== null) return found;
  throw new TrialError(`--only must be classes or targeted courses: there is no ${name}`, { code: 'usage' });
}

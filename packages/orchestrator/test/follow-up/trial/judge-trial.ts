import type { TrialVerdict } from '@agent/simulators/trials';
import { findFaults } from './find-faults.ts';
import { playTrial, type Trial } from './play-trial.ts';
import { roundWords } from './trial-classes.ts';

/** Plays a trial and judges it. */
export async function judgeTrial(trial: Trial): Promise<TrialVerdict> {
  const left = await playTrial(trial);
  try {
    const { kind, forge, variant } = trial;
    const last = left.asked.at(-1)?.view.said ?? [];
    const rounds = last.filter((text) => text.includes(roundWords)).length;
    return {
      told: `${kind} on ${forge}, variant ${variant}, ${rounds} rounds, ${left.died} crashes, ${left.faults.length} faults`,
      findings: findFaults(left),
      counts: { rounds, crashes: left.died, faults: left.faults.length },
      trace: [...left.faults, ...left.log, JSON.stringify(left.forge.comments(), null, 1)].join('\n'),
    };
  } finally {
    await left.forge.close();
  }
}

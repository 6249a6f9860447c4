import { findFaults } from './find-faults.ts';
import { playTrial, type Trial } from './play-trial.ts';
import { roundWords } from './trial-classes.ts';

/** Verdict on one trial. */
export interface Judged {
  readonly name: string;
  readonly found: readonly string[];
  readonly rounds: number;
  readonly deaths: number;
  readonly faults: number;
  /** All that the processes logged, and what the wire did. */
  readonly log: readonly string[];
}

/** Plays a trial and judges it. */
export async function judgeTrial(trial: Trial): Promise<Judged> {
  const left = await playTrial(trial);
  try {
    const { kind, forge, variant } = trial;
    const last = left.asked.at(-1)?.view.said ?? [];
    return {
      name: `${kind} on ${forge}, variant ${variant}`,
      found: findFaults(left),
      rounds: last.filter((text) => text.includes(roundWords)).length,
      deaths: left.died,
      faults: left.faults.length,
      log: [...left.faults, ...left.log],
    };
  } finally {
    await left.forge.close();
  }
}

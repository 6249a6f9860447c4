import { type OpenTrials, TrialError, type TrialVerdict } from '@agent/simulators/trials';

/** One trial that was played. */
export interface PlayedTrial {
  readonly seed: number;
  /** What the seed stands for. */
  readonly trial: unknown;
  readonly verdict: TrialVerdict;
  readonly durationMs: number;
}

export interface RunTrialsOptions {
  readonly seeds: readonly number[];
  /** Trials at once. */
  readonly parallel: number;
  /** Called after each trial, one call at a time. */
  readonly onPlayed: (played: PlayedTrial) => Promise<void>;
}

/** Plays the trials of the seeds, some at once. A trial that throws has that as its finding. */
export async function runTrials(
  open: OpenTrials<unknown>,
  { seeds, parallel, onPlayed }: RunTrialsOptions,
): Promise<readonly PlayedTrial[]> {
  const waiting = [...seeds];
  const played: PlayedTrial[] = [];
  let reported = Promise.resolve();
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const one = await playSeed(open, seed);
      played.push(one);
      reported = reported.then(() => onPlayed(one));
      await reported;
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return played.toSorted((one, other) => one.seed - other.seed);
}

async function playSeed(open: OpenTrials<unknown>, seed: number): Promise<PlayedTrial> {
  const startedAt = performance.now();
  let trial: unknown = null;
  const verdict = await Promise.resolve()
    .then(async () => {
      trial = await open.draw(seed);
      return open.play(trial);
    })
    .catch(toFailure);
  return { seed, trial, verdict, durationMs: Math.round(performance.now() - startedAt) };
}

/** Verdict on a trial that threw an error. */
export function toFailure(error: unknown): TrialVerdict {
  if (error instanceof TrialError && error.code === 'not_shown')
    return { told: '', findings: [], missing: `NOT SHOWN HERE: ${error.message}` };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { told: 'the trial itself failed', findings: [`the trial itself failed: ${text}`] };
}

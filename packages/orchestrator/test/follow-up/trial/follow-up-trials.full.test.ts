import { describe, expect, it } from 'vitest';
import { drawTrials } from './draw-trials.ts';
import { judgeTrial } from './judge-trial.ts';

const { FOLLOW_UP_SEED: seed = '1' } = process.env;

describe('fifty change requests', () => {
  const trials = drawTrials({ count: 50, seed: Number(seed) }).map((trial, index) => ({
    ...trial,
    title: `${index}: ${trial.kind} on ${trial.forge}`,
  }));

  it.each(trials)('$title', { timeout: 1_200_000 }, async (trial) => {
    const { found, log } = await judgeTrial(trial);
    expect(found, log.slice(-60).join('\n')).toEqual([]);
  });
});

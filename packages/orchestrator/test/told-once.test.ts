import { describe, expect, it } from 'vitest';
import { findBroken } from './lives/find-broken.ts';
import { type Act, playLives } from './lives/play-lives.ts';

/** A process dies at a moment, and some moments later its successor. */
const laterBy = 9;
/** Every moment in `npm run test:release`. */
const every = process.env.TEST_RELEASE === '1' ? 1 : 3;

describe('from the answer of the model to the last entry of the end', () => {
  it('each comment is told once or reported once, whatever the moment at which it comes and the processes die [NX-160]', {
    tags: ['full'],
  }, async () => {
    const { moments } = await playLives([]);
    expect(moments.some(({ did }) => did.endsWith('journal.finish'))).toBe(true);
    const broken: string[] = [];
    for (const { index } of moments.filter(({ index: at }) => at % every === 0)) {
      const acts: readonly Act[] = ['alice', 'bob', 'die'];
      const trial = [...acts.map((act) => [index, act] as const), [index + laterBy, 'die'] as const];
      const left = await playLives(trial);
      broken.push(
        ...findBroken(left).map((fault) => `moment ${index} (${left.moments[index]?.did}): ${fault}`),
      );
    }
    expect(broken).toEqual([]);
  });

  it('so it is with a stop among them, of which the report says what became of it [NX-160]', async () => {
    const left = await playLives([
      [5, 'stop'],
      [12, 'die'],
    ]);
    expect(findBroken(left)).toEqual([]);
    expect(left.runs).toEqual(['completed stopped']);
  });
});

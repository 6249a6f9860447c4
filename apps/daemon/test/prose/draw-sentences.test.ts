import { describe, expect, it } from 'vitest';
import { drawSentences } from './draw-sentences.ts';

const texts = [
  { name: 'a/comment', text: 'Working on this since 13:16.\n\nWorking on this since 13:20.\n---\nok' },
  { name: 'b/status', text: 'Queued: 3 tasks\nPaused by alice' },
];

describe('drawSentences', () => {
  it('draws each wording once, with the text it comes from', () => {
    const drawn = drawSentences(texts, { seed: 1, count: 10 });
    expect(drawn.map(({ text }) => text).sort()).toEqual([
      'Paused by alice',
      'Queued: 3 tasks',
      'Working on this since 13:16.',
    ]);
    expect(drawn.find(({ text }) => text.startsWith('Queued'))?.name).toBe('b/status');
  });

  it('draws the same sentences for the same seed', () => {
    const draw = (seed: number) => drawSentences(texts, { seed, count: 2 });
    expect(draw(7)).toEqual(draw(7));
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => JSON.stringify(draw(seed)))).size).toBeGreaterThan(
      1,
    );
  });
});

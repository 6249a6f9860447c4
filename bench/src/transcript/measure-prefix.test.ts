import { describe, expect, it } from 'vitest';
import { comparePrompts } from './measure-prefix.ts';

describe('comparePrompts', () => {
  it('counts what a prompt has in common with the beginning of the one before, once the first turn is gone', () => {
    const prompts = ['a\nb', 'a\nb\nc', 'b\nc', 'b\nc\nd', 'b\nc\nd\ne', 'd\ne\nf'];
    expect(comparePrompts(prompts)).toEqual({
      prompts: 3,
      newBeginnings: 1,
      samePercent: (100 * (3 + 5)) / (5 + 7 + 5),
      newChars: (2 + 2 + 5) / 3,
      promptChars: 17 / 3,
    });
  });
});

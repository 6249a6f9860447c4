import { expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

it('counts four characters of ASCII as a token, and every other code point as one', () => {
  expect(['', 'abc', 'abcde', '完了', '👍a'].map(estimateTokens)).toEqual([0, 1, 2, 2, 2]);
});

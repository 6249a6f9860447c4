import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSuggestions, type SuggestedLines } from './format-suggestions.ts';

const subject: SuggestedLines = {
  ...{ firstLine: 2, lastLine: 3, side: 'new' },
  hunk: '@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei',
};

describe('formatSuggestions', () => {
  it('shows what a suggestion replaces and what it puts there', () => {
    const body = 'Better:\r\n```suggestion\r\nii\r\niii\r\n```\r\nok?';
    expect(formatSuggestions(body, subject)).toBe('Better:\n```diff\n-zwei\n-drei\n+ii\n+iii\n```\nok?');
  });

  it('shows a suggestion to delete lines, and several with longer fences', () => {
    const body = '````suggestion\n```js\n````\n~~~suggestion\n~~~';
    expect(formatSuggestions(body, subject)).toBe(
      '````diff\n-zwei\n-drei\n+```js\n````\n~~~diff\n-zwei\n-drei\n~~~',
    );
  });

  it('reads the lines that GitLab names above the commented one, and leaves those below', () => {
    expect(formatSuggestions('```suggestion:-0+0\niii\n```', subject)).toBe('```diff\n-drei\n+iii\n```');
    const below = '```suggestion:-0+1\niii\n```';
    expect(formatSuggestions(below, subject)).toBe(below);
  });

  it('leaves every body without a suggestion as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '~', ' ', 'a', '\n', '+', '-') }), (body) => {
        expect(formatSuggestions(body, subject)).toBe(body);
      }),
    );
  });

  it.each([
    ['a comment on removed lines', { side: 'old' as const }],
    ['a comment on a file', { firstLine: null, lastLine: null }],
    ['a comment without its hunk', { hunk: null }],
    ['a hunk that is cut', { firstLine: 1, hunk: '@@ -1 +1 @@\n+drei' }],
  ])('leaves %s as it is', (_what, change) => {
    const body = '```suggestion\nii\n```';
    expect(formatSuggestions(body, { ...subject, ...change })).toBe(body);
  });
});

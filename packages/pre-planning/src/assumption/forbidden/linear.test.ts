// @module-tag full
import { expect, it } from 'vitest';
import { allowedPhrases } from './allowed-phrases.ts';
import { findForbiddenValue } from './find-forbidden.ts';
import { disclosurePatterns, environmentPatterns, personalPatterns } from './forbidden-patterns.ts';
import { forbiddenWords, requestTerms } from './forbidden-words.ts';
import { secretPatterns, secretPlaces } from './secret-patterns.ts';

const forms = [
  ...secretPatterns,
  ...secretPlaces,
  ...disclosurePatterns,
  ...personalPatterns,
  ...environmentPatterns,
].map(({ pattern }) => pattern);
const words = forbiddenWords.flatMap(({ english, japanese, asWritten = [] }) =>
  [english, japanese].concat(asWritten),
);
const asked = requestTerms.flatMap(({ english, japanese, disclosedEnglish, disclosedJapanese }) => [
  english,
  japanese,
  disclosedEnglish,
  disclosedJapanese,
]);
const patterns = [...forms, ...words, ...asked, ...allowedPhrases];

/** The longest text that a pattern can look at from one place; infinite where something repeats without end. */
function measureReach(pattern: string): number {
  const plain = pattern.replace(/\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/[*+]|\{\d+,\}/.test(plain.replace(/\(\?<?[=!]/g, '('))) return Number.POSITIVE_INFINITY;
  const counts = [...plain.matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, most]) => Number(most));
  return plain.length * counts.reduce((longest, count) => Math.max(longest, count), 1);
}

it.each(patterns)(
  'looks from each place at a bounded part of a text, so that judging is linear: %s',
  (pattern) => {
    expect(measureReach(pattern.source)).toBeLessThan(1_000_000);
  },
);

it('would see a repetition without end', () => {
  for (const pattern of ['a+b', '(?:a*)', 'a{2,}', '[ab]+'])
    expect(measureReach(pattern)).toBe(Number.POSITIVE_INFINITY);
  expect(measureReach('\\+[+*]a{1,3}\\p{L}{2}')).toBeLessThan(100);
});

it.each(['a', 'A1a', 'a@', '1-', 'http://a:', 'passwor ', 'key=', '\u200b', 'a.', '1:', 'A1 '])(
  'judges the very end of 200,000 times %j too',
  (piece) => {
    const text = piece.repeat(200_000);
    expect(findForbiddenValue(`${text} the password`)).not.toBeNull();
  },
);

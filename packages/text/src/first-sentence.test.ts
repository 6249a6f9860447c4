import { describe, expect, it } from 'vitest';
import { firstSentence } from './first-sentence.ts';

describe('firstSentence', () => {
  it.each([
    ['"a.js" does not exist. Call list_files.', '"a.js" does not exist.'],
    ['"b.js" does not exist. list_files shows the files.', '"b.js" does not exist.'],
    ['old_text does not occur in total.js', 'old_text does not occur in total.js'],
    ['exit code 1.5 s after the start, e.g. now', 'exit code 1.5 s after the start, e.g. now'],
    ['one line\nand another', 'one line'],
    ['ありません。もう一度。', 'ありません。'],
    ['', ''],
  ])('of %j is %j', (text, expected) => {
    expect(firstSentence(text)).toBe(expected);
  });
});

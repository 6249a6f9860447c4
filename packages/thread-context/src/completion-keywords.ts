import { findFences } from './find-fences.ts';

/** Scripts that put no spaces between words: there a keyword may stand anywhere. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** What a word of the other scripts goes on with; a keyword ends where Japanese begins ("doneです"). */
const wordCharacter = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}_]';

/**
 * Makes the test for comments that say a task is done. Text and keywords are compared after NFKC and in lower
 * case; ASCII keywords stand as words of their own, Japanese ones anywhere. What is quoted or stands in fenced
 * code is not read. Blank keywords are ignored.
 *
 * @see decision A6
 */
export function createCompletionTest(keywords: readonly string[]): (body: string) => boolean {
  const patterns = keywords
    .map(normalise)
    .filter((keyword) => keyword !== '')
    .map(toPattern);
  if (patterns.length === 0) return () => false;
  const anyKeyword = new RegExp(patterns.join('|'), 'u');
  return (body) => anyKeyword.test(normalise(toOwnWords(body)));
}

function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function toPattern(keyword: string): string {
  const literal = keyword.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (unspaced.test(keyword)) return literal;
  const isWord = new RegExp(wordCharacter, 'u');
  const before = isWord.test(keyword.slice(0, 1)) ? `(?<!${wordCharacter})` : '';
  const after = isWord.test(keyword.slice(-1)) ? `(?!${wordCharacter})` : '';
  return `${before}${literal}${after}`;
}

/** What the author says without quoting anybody. */
function toOwnWords(body: string): string {
  let reached = 0;
  let words = '';
  for (const { start, end } of findFences(body)) {
    words += body.slice(reached, Math.max(reached, start));
    reached = Math.max(reached, end);
  }
  const quoted = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>/;
  return (words + body.slice(reached))
    .split(/\r\n|[\n\r]/)
    .filter((line) => !quoted.test(line))
    .join('\n');
}

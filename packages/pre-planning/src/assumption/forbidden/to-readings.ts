/** Letters of other alphabets that look like Latin ones. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    һ: 'h',
    і: 'i',
    ј: 'j',
    к: 'k',
    о: 'o',
    ο: 'o',
    р: 'p',
    ѕ: 's',
    т: 't',
    у: 'y',
    х: 'x',
  }),
);

/** Where an upper-case run meets lower case: `HTTPServer` ends before its last letter, `APIkey` after it. `APIs` is one. */
const seams: readonly RegExp[] = [
  /(?<=[A-Z0-9])(?=[A-Z](?!s(?![a-z]))[a-z])/g,
  /(?<=[A-Z]{2}|\d)(?=[a-z])(?!s(?![a-z]))/g,
];

/**
 * A text as words in lower case with one space between them, in each way that it can be read: identifiers are taken
 * apart, invisible signs and accents removed, letters that only look Latin replaced. Japanese stays as it is written.
 */
export function toReadings(text: string): readonly string[] {
  const plain = toPlainLetters(text).replace(/(?<=[a-z])(?=[A-Z0-9])/g, ' ');
  return [...new Set(seams.map((seam) => toWords(plain.replace(seam, ' '))))];
}

/** What is written, without what only disguises it. */
export function toPlainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .normalize('NFD')
    .replace(/(?<=[A-Za-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[\u0370-\u052f]/g, (letter) => lookalikes.get(letter.toLowerCase()) ?? letter);
}

function toWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

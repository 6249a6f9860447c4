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

/**
 * A text as words in lower case with one space between them: identifiers are taken apart, invisible signs and accents
 * removed, letters that only look Latin replaced. Japanese stays as it is written.
 */
export function toWords(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .normalize('NFD')
    .replace(/(?<=[A-Za-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[\u0370-\u052f]/g, (letter) => lookalikes.get(letter.toLowerCase()) ?? letter)
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Z0-9])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

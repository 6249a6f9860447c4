import type { InformationNeed } from '../collection/information-needs.ts';
import { type ForbiddenCategory, forbiddenWords } from './forbidden-words.ts';
import { toWords } from './to-words.ts';

/** Longer texts are judged by their beginning; a model's fields are shorter. */
const maxChars = 8_000;

/** Values that are what must not be assumed, whatever they are called. */
const forms: readonly (readonly [ForbiddenCategory, RegExp])[] = [
  [
    'credentials',
    /\b(?:gh[opsur]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abprs]-[\w-]{8,}|A(?:KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{30,})/,
  ],
  ['credentials', /-----BEGIN [A-Z ]{0,20}PRIVATE KEY|\beyJ[\w-]{8,}\.[\w-]{8,}/],
  [
    'credentials',
    /(?=[\w+/-]{0,64}\d)(?=[\w+/-]{0,64}[A-Z])(?=[\w+/-]{0,64}[a-z])(?<![\w+/.-])[A-Za-z0-9+_-]{28,}={0,2}(?![\w/.-])/,
  ],
  [
    'database',
    /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|sqlserver|oracle|amqps?|jdbc:\w+):\/?\/|\b(?:server|data source|host)\s{0,5}=[^;\n]{1,200};/i,
  ],
  ['credentials', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{1,100}@/i],
  ['personal-data', /[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}\.[A-Za-z]{2,}/],
  ['personal-data', /(?<![\w.-])(?:\+\d{1,3}[ -]?)?\(?0?\d{1,4}\)?[ -]\d{2,4}[ -]\d{3,4}(?![\w-])/],
  ['environment', /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/],
];

/** Which of the things that are never assumed a text speaks of; null for none. @see seed 004 §6.4.1 */
export function findForbidden(text: string): ForbiddenCategory | null {
  const words = toWords(text.slice(0, maxChars));
  const unspaced = words.replaceAll(' ', '');
  const found = forbiddenWords.find(
    ({ english, japanese }) => english.test(words) || japanese.test(unspaced),
  );
  return found?.category ?? null;
}

/** What keeps a value from being assumed: what it is, or what it speaks of. */
export function findForbiddenValue(value: string): ForbiddenCategory | null {
  const beginning = value
    .slice(0, maxChars)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
  const form = forms.find(([, pattern]) => pattern.test(beginning));
  return form?.[0] ?? findForbidden(value);
}

/** What keeps an item from being assumed: its id, description, purpose, parameters or default. @see decision E7 */
export function findForbiddenNeed(need: InformationNeed): ForbiddenCategory | null {
  const { tool, parameters } = need.collection_method;
  const texts = [need.id, need.description, need.purpose, tool, ...listTexts(parameters)];
  const found = texts.map(findForbidden).find((category) => category !== null);
  if (found !== undefined) return found;
  return need.default_assumption === null ? null : findForbiddenValue(need.default_assumption);
}

/** Keys and values, however deep. */
function listTexts(value: unknown): readonly string[] {
  // As JSON it is one text: words of neighbours are kept apart by its signs.
  return [(JSON.stringify(value) ?? '').replace(/[{}[\]",:]+/g, ' . ')];
}

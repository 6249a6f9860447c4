import { findSecretForms } from '@agent/text/secrets';
import type { InformationNeed } from '../../collection/information-needs.ts';
import { withoutAllowedJapanesePhrases, withoutAllowedPhrases } from './allowed-phrases.ts';
import {
  disclosurePatterns,
  environmentPatterns,
  type ForbiddenPattern,
  findPattern,
  personalPatterns,
  toPlainSigns,
} from './forbidden-patterns.ts';
import { type ForbiddenCategory, forbiddenWords, requestTerms } from './forbidden-words.ts';
import { secretPatterns, secretPlaces } from './secret-patterns.ts';

const valuePatterns = [...disclosurePatterns, ...environmentPatterns, ...personalPatterns];

/** Which of the things that are never assumed a text asks for; null for none. @see seed 004 §6.4.1 */
export function findForbidden(text: string): ForbiddenCategory | null {
  const readings = readText(text);
  return findWords(text, readings) ?? findFirst(readings, findRequestTerms);
}

/** Finds what keeps a value from being assumed: its form, or its words. */
export function findForbiddenValue(value: string): ForbiddenCategory | null {
  const readings = readText(value);
  return (
    findWritten(value, valuePatterns) ?? findWords(value, readings) ?? findFirst(readings, findDisclosures)
  );
}

/** Finds what keeps an item from being assumed: its id, description, purpose, parameters or default. @see decision E7 */
export function findForbiddenNeed(need: InformationNeed): ForbiddenCategory | null {
  const { tool, parameters } = need.collection_method;
  const wanted = [need.id, need.description, need.purpose];
  const { keys, texts } = listTexts(parameters);
  return (
    findFirst(wanted, (text) => findWritten(text, personalPatterns) ?? findForbidden(text)) ??
    findForbidden([tool, ...keys].join(apart)) ??
    // Numbers of threads and lines are among them, which look like those of people, and names in code, which are none.
    findWritten(texts.join(apart), secretPlaces) ??
    findForbidden(texts.map(toPhrase).join(apart)) ??
    findForbiddenValue(need.default_assumption ?? '')
  );
}

/** Finds the pattern that a text is written in: a secret's, or one of the others. */
function findWritten(text: string, others: readonly ForbiddenPattern[]): ForbiddenCategory | null {
  const plain = toPlainSigns(text);
  const isSecret = findSecretForms(plain).length > 0;
  return findPattern(plain, secretPatterns) ?? (isSecret ? 'credentials' : findPattern(plain, others));
}

interface Reading {
  readonly english: string;
  readonly japanese: string;
}

function readText(text: string): readonly Reading[] {
  return toReadings(text).map((words) => ({
    english: withoutAllowedPhrases(words),
    japanese: withoutAllowedJapanesePhrases(closeUp(words)),
  }));
}

function findWords(text: string, readings: readonly Reading[]): ForbiddenCategory | null {
  const found = forbiddenWords.find(
    ({ english, japanese, asWritten }) =>
      readings.some((reading) => english.test(reading.english) || japanese.test(reading.japanese)) ||
      asWritten?.test(toPlainLetters(text)),
  );
  return found?.category ?? null;
}

function findRequestTerms(reading: Reading): ForbiddenCategory | null {
  const found = requestTerms.find(
    ({ english, japanese }) => english.test(reading.english) || japanese.test(reading.japanese),
  );
  return found?.category ?? null;
}

function findDisclosures(reading: Reading): ForbiddenCategory | null {
  const found = requestTerms.find(
    ({ disclosedEnglish, disclosedJapanese }) =>
      disclosedEnglish.test(reading.english) || disclosedJapanese.test(reading.japanese),
  );
  return found?.category ?? null;
}

/** Japanese has no spaces between words; those of English stay. */
function closeUp(words: string): string {
  return words.replace(/ (?![a-z0-9])|(?<![a-z0-9]) /g, '');
}

function findFirst<Judged>(
  texts: readonly Judged[],
  find: (text: Judged) => ForbiddenCategory | null,
): ForbiddenCategory | null {
  for (const text of texts) {
    const category = find(text);
    if (category !== null) return category;
  }
  return null;
}

/** More words than any pattern reaches over: what stands on both sides is judged apart, and all of it at once. */
const apart = '\nzz zz zz\n';

/** Keys and texts, however deep and however many. */
function listTexts(parameters: object): Record<'keys' | 'texts', readonly string[]> {
  const keys: string[] = [];
  const texts: string[] = [];
  const open: unknown[] = [parameters];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) keys.push(key);
      open.push(inner ?? null);
    }
  }
  return { keys, texts };
}

/** Words that begin or join code and not phrases. */
const codeWords =
  /^(?:const|let|var|function|def|class|import|export|from|new|return|type|interface|async|await|public|private|static|fn|func|select|where|=|=>)$/i;
const plainWord = /^["'(]?\p{Lu}?(?:\p{Ll}+|\p{Lo}[\p{L}\p{M}ー]*)(?:['’]s)?[)"',.?!:;]*$/u;
/** Particles that join words to a phrase of Japanese. */
const isJapanesePhrase =
  /[\p{Script=Han}\p{Script=Katakana}ー\w][のをはと][\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}A-Za-z]/u;
const isAcronym = /^(?:API|ID|URL|DB|SQL|SSH|TLS|SSL|CORS|PIN|JWT|IAM|OTP|DSN)s?$/;

/**
 * Takes the words out of a tool's parameter; empty where it only names code. Whoever searches for `validatePassword` or
 * reads `src/auth/config.ts` asks for no password.
 */
function toPhrase(text: string): string {
  const tokens = text.split(/\s+/u).filter((token) => token !== '');
  const words = tokens.filter(
    (token) => plainWord.test(token) || isAcronym.test(token) || isJapanesePhrase.test(token),
  );
  if (tokens.some((token) => codeWords.test(token))) return '';
  const isPhrase = words.length > 1 || words.some((word) => isJapanesePhrase.test(word));
  return isPhrase ? words.join(' ') : '';
}

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

/** Seams between an upper-case run and lower case: `HTTPServer` ends before its last letter, `APIkey` after it. `APIs` is one. */
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

/** Removes what only disguises a text. */
function toPlainLetters(text: string): string {
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

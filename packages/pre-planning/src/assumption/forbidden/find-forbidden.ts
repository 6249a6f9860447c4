import { findSecretForms } from '@agent/text/secrets';
import type { InformationNeed } from '../../collection/information-needs.ts';
import { withoutIdioms, withoutJapaneseIdioms } from './allowed-phrases.ts';
import { askedWords } from './asked-words.ts';
import { environmentForms } from './environment-forms.ts';
import { type ForbiddenForm, findForm, toPlainSigns } from './forbidden-forms.ts';
import { type ForbiddenCategory, forbiddenWords } from './forbidden-words.ts';
import { personalForms } from './personal-forms.ts';
import { secretForms } from './secret-forms.ts';
import { secretPlaces } from './secret-places.ts';
import { toPhrase } from './to-phrase.ts';
import { toPlainLetters, toReadings } from './to-readings.ts';
import { toldForms } from './told-forms.ts';

const valueForms = [...toldForms, ...environmentForms, ...personalForms];

/** Which of the things that are never assumed a text asks for; null for none. @see seed 004 §6.4.1 */
export function findForbidden(text: string): ForbiddenCategory | null {
  const readings = readText(text);
  return findWords(text, readings) ?? findFirst(readings, findAsked);
}

/** What keeps a value from being assumed: what it is, or what it speaks of. */
export function findForbiddenValue(value: string): ForbiddenCategory | null {
  const readings = readText(value);
  return findWritten(value, valueForms) ?? findWords(value, readings) ?? findFirst(readings, findTold);
}

/** What keeps an item from being assumed: its id, description, purpose, parameters or default. @see decision E7 */
export function findForbiddenNeed(need: InformationNeed): ForbiddenCategory | null {
  const { tool, parameters } = need.collection_method;
  const wanted = [need.id, need.description, need.purpose];
  const { keys, texts } = listTexts(parameters);
  return (
    findFirst(wanted, (text) => findWritten(text, personalForms) ?? findForbidden(text)) ??
    findForbidden([tool, ...keys].join(apart)) ??
    // Numbers of threads and lines are among them, which look like those of people, and names in code, which are none.
    findWritten(texts.join(apart), secretPlaces) ??
    findForbidden(texts.map(toPhrase).join(apart)) ??
    findForbiddenValue(need.default_assumption ?? '')
  );
}

/** What a text is written like: a secret, or one of the other forms. */
function findWritten(text: string, others: readonly ForbiddenForm[]): ForbiddenCategory | null {
  const plain = toPlainSigns(text);
  const isSecret = findSecretForms(plain).length > 0;
  return findForm(plain, secretForms) ?? (isSecret ? 'credentials' : findForm(plain, others));
}

interface Reading {
  readonly english: string;
  readonly japanese: string;
}

function readText(text: string): readonly Reading[] {
  return toReadings(text).map((words) => ({
    english: withoutIdioms(words),
    japanese: withoutJapaneseIdioms(closeUp(words)),
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

function findAsked(reading: Reading): ForbiddenCategory | null {
  const found = askedWords.find(
    ({ english, japanese }) => english.test(reading.english) || japanese.test(reading.japanese),
  );
  return found?.category ?? null;
}

function findTold(reading: Reading): ForbiddenCategory | null {
  const found = askedWords.find(
    ({ toldEnglish, toldJapanese }) =>
      toldEnglish.test(reading.english) || toldJapanese.test(reading.japanese),
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
function listTexts(parameters: object): {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
} {
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

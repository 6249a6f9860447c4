import type { InformationNeed } from '../../collection/information-needs.ts';
import { environmentForms } from './environment-forms.ts';
import { findForm } from './forbidden-form.ts';
import { type ForbiddenCategory, forbiddenWords } from './forbidden-words.ts';
import { withoutIdioms, withoutJapaneseIdioms } from './harmless-idioms.ts';
import { personalForms } from './personal-forms.ts';
import { secretForms } from './secret-forms.ts';
import { toPlainLetters, toReadings } from './to-readings.ts';

const valueForms = [...secretForms, ...environmentForms, ...personalForms];
const wantedForms = [...secretForms, ...personalForms];

/** Which of the things that are never assumed a text speaks of; null for none. @see seed 004 §6.4.1 */
export function findForbidden(text: string): ForbiddenCategory | null {
  const readings = toReadings(text).map((words) => ({
    english: withoutIdioms(words),
    japanese: withoutJapaneseIdioms(closeUp(words)),
  }));
  const found = forbiddenWords.find(
    ({ english, japanese, asWritten }) =>
      readings.some((reading) => english.test(reading.english) || japanese.test(reading.japanese)) ||
      asWritten?.test(toPlainLetters(text)),
  );
  return found?.category ?? null;
}

/** What keeps a value from being assumed: what it is, or what it speaks of. */
export function findForbiddenValue(value: string): ForbiddenCategory | null {
  return findForm(value, valueForms) ?? findForbidden(value);
}

/** What keeps an item from being assumed: its id, description, purpose, parameters or default. @see decision E7 */
export function findForbiddenNeed(need: InformationNeed): ForbiddenCategory | null {
  const { tool, parameters } = need.collection_method;
  const wanted = [need.id, need.description, need.purpose];
  const asked = [tool, joinTexts(parameters)];
  return (
    findFirst(wanted, (text) => findForm(text, wantedForms) ?? findForbidden(text)) ??
    // Numbers of threads and lines are among them, which look like those of people.
    findFirst(asked, (text) => findForm(text, secretForms) ?? findForbidden(text)) ??
    findForbiddenValue(need.default_assumption ?? '')
  );
}

/** Japanese has no spaces between words; those of English stay. */
function closeUp(words: string): string {
  return words.replace(/ (?![a-z0-9])|(?<![a-z0-9]) /g, '');
}

function findFirst(
  texts: readonly string[],
  find: (text: string) => ForbiddenCategory | null,
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
function joinTexts(parameters: object): string {
  const texts: string[] = [];
  const open: unknown[] = [parameters];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.push(key);
      open.push(inner ?? null);
    }
  }
  return texts.join(apart);
}

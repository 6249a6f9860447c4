import { hasIbanDigits, hasLuhnDigit } from './check-digits.ts';
import type { ForbiddenForm } from './forbidden-forms.ts';

const prefectures = '(?:東京都|北海道|大阪府|京都府|\\p{Script=Han}{2,3}県)';
const streets = 'Street|St\\.|Avenue|Ave\\.?|Road|Rd\\.|Boulevard|Blvd|Lane|Drive';

/** What belongs to a person: addresses, numbers to call, to pay with and to be known by. */
export const personalForms: readonly ForbiddenForm[] = [
  { category: 'personal-data', pattern: /(?<=[\w.+-])(?<!\bgit)@[A-Za-z0-9-]{1,63}\.[A-Za-z]{2}/g },
  {
    category: 'personal-data',
    // Numbers to call begin with 0 or a country, or are written as in North America.
    pattern:
      /(?<![\w.+-])(?:\+\d{1,3}(?:[ -]?\(?\d{1,4}\)?){2,5}|(?:0\d{1,4}[ -]|\(0\d{1,4}\)[ -]?)\d{1,4}[ -]\d{3,4}|0[1-9]\d{8}|0[5-9]0\d{8}|\(?[2-9]\d{2}\)?[ -]\d{3}[ -]\d{4})(?![\w-])/g,
    holds: (found) => found !== '0123456789' && found.replace(/\D/g, '').length >= 9,
  },
  {
    category: 'personal-data',
    pattern: /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-])/g,
    holds: hasLuhnDigit,
  },
  // My Number, with or without its check digit; twelve digits that begin with a year of this century are a time.
  {
    category: 'personal-data',
    pattern: /(?<![\w.-])(?!20\d{2}[01]\d[0-3]\d)\d{4}[ -]?\d{4}[ -]?\d{4}(?![\w-])/g,
  },
  { category: 'personal-data', pattern: /(?<![\w.-])\d{3}-\d{2}-\d{4}(?![\w-])/g },
  {
    category: 'personal-data',
    pattern: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g,
    holds: hasIbanDigits,
  },
  { category: 'personal-data', pattern: /〒\s?\d{3}/g },
  {
    category: 'personal-data',
    pattern: new RegExp(
      `${prefectures}[^\\s、。]{1,30}\\d{1,4}(?:-|丁目|番)\\d?|[市区町村]\\p{L}{1,12}\\d{1,4}(?:丁目|番地|-\\d{1,4}-\\d)|\\b\\d{1,5} (?:[A-Z]\\w{1,20} ){1,3}(?:${streets})(?!\\w)`,
      'gu',
    ),
  },
];

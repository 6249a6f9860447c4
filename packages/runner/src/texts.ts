import type { Locale } from '@agent/text';
import type { RunTexts } from './run-texts.ts';
import { englishTexts } from './texts.en.ts';
import { japaneseTexts } from './texts.ja.ts';

/** The reasons in the language of those who read them. */
export function runTexts(locale: Locale): RunTexts {
  return locale === 'ja' ? japaneseTexts : englishTexts;
}

import type { Locale } from '@agent/text';
import type { HelpTexts } from './help-texts.ts';

/** The texts of a language; only that language is loaded. */
export async function loadHelpTexts(locale: Locale): Promise<HelpTexts> {
  return locale === 'ja' ? (await import('./help-ja.ts')).helpJa : (await import('./help-en.ts')).helpEn;
}

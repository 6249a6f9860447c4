import type { Locale } from '@agent/text';
import type { CliTexts } from './texts.ts';

/** The texts of a language; only that language is loaded. */
export async function loadTexts(locale: Locale): Promise<CliTexts> {
  return locale === 'ja' ? (await import('./texts-ja.ts')).textsJa : (await import('./texts-en.ts')).textsEn;
}

import type { CliTexts } from './texts.ts';

/** The texts of a language; only that language is loaded. */
export async function loadTexts(locale: 'ja' | 'en'): Promise<CliTexts> {
  return locale === 'ja' ? (await import('./texts-ja.ts')).textsJa : (await import('./texts-en.ts')).textsEn;
}

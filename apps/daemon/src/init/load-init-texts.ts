import type { Locale } from '@agent/text';
import type { InitTexts } from './texts.ts';

/** The texts of a language; only that language is loaded. */
export async function loadInitTexts(locale: Locale): Promise<InitTexts> {
  return locale === 'ja' ? (await import('./texts-ja.ts')).initJa : (await import('./texts-en.ts')).initEn;
}

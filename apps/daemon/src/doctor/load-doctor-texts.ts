import type { Locale } from '@agent/text';
import type { DoctorTexts } from './texts.ts';

/** The texts of a language; only that language is loaded. */
export async function loadDoctorTexts(locale: Locale): Promise<DoctorTexts> {
  return locale === 'ja'
    ? (await import('./texts-ja.ts')).doctorJa
    : (await import('./texts-en.ts')).doctorEn;
}

import type { DoctorTexts } from './texts.ts';

/** The texts of a language; only that language is loaded. */
export async function loadDoctorTexts(locale: 'ja' | 'en'): Promise<DoctorTexts> {
  return locale === 'ja'
    ? (await import('./texts-ja.ts')).doctorJa
    : (await import('./texts-en.ts')).doctorEn;
}

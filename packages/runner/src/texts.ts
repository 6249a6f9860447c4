import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

export type RunTexts = typeof en;

/** The reasons in the language of those who read them. */
export function runTexts(locale: Locale): RunTexts {
  return locale === 'ja' ? ja : en;
}

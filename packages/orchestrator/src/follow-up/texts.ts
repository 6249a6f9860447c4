import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

/** Words of runs that stay with their change request. */
export const followUpTexts: Readonly<Record<Locale, typeof en>> = { en, ja };

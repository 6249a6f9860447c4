import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

/** Words of the comments that show the progress of a run. */
export const progressTexts: Readonly<Record<Locale, typeof en>> = { en, ja };

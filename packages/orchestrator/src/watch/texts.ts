import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

export type WatchTexts = typeof en;

/** Words for people who look at runs from outside. */
export const watchTexts: Readonly<Record<Locale, WatchTexts>> = { en, ja };

import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

export type WatchTexts = typeof en;

/** Texts of the run views, for the web UI and comments about actions there. */
export const watchTexts: Readonly<Record<Locale, WatchTexts>> = { en, ja };

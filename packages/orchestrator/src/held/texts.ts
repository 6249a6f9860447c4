import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

/** Texts about changes that a person has to allow. */
export const heldTexts: Readonly<Record<Locale, typeof en>> = { en, ja };

import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

export type PhaseTexts = typeof en;

/** Words of the phase, by the language of those who read them. */
export const phaseTexts: Readonly<Record<Locale, PhaseTexts>> = { en, ja };

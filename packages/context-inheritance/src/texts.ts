import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

/** Texts for people and models, by language. */
export const inheritanceTexts: Readonly<Record<Locale, typeof en>> = { en, ja };
/** The words of the prompt block and of the notice. */
export type PromptTexts = typeof en.prompt;

import type { Locale } from '@agent/text';
import { en, lossForModel } from './texts.en.ts';
import { ja } from './texts.ja.ts';

export { lossForModel };

export type RunTexts = typeof en;

/** Texts of runs that threads read, by language. @see docs/requirements.md RL-4, RL-5, RL-7, RL-14 */
export const runTexts: Readonly<Record<Locale, RunTexts>> = { ja, en };

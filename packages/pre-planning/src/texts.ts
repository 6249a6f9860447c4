import type { Locale } from '@agent/text';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

export type PhaseTexts = typeof en;

/** Words of the phase, by the language of those who read them. */
export const phaseTexts: Readonly<Record<Locale, PhaseTexts>> = { en, ja };

/**
 * A share from 0 to 1 as a whole number of hundredths, rounded; what is below `threshold` is never shown as if it had
 * reached it. @see decision E18
 */
export function toPercent(share: number, { threshold = 0 }: { readonly threshold?: number } = {}): number {
  const percent = Math.round(share * 100);
  const isRoundedPast = share < threshold && percent >= threshold * 100;
  return isRoundedPast ? Math.max(0, Math.ceil(threshold * 100) - 1) : percent;
}

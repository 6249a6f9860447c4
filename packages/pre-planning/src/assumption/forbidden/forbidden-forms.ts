import type { ForbiddenCategory } from './forbidden-words.ts';

/** What something that is never assumed looks like, whatever it is called. */
export interface ForbiddenForm {
  readonly category: ForbiddenCategory;
  /** With the flag `g`; every repetition in it has an upper bound, so that judging stays linear. */
  readonly pattern: RegExp;
  /** Whether what the pattern found is one after all; default always. */
  readonly holds?: (found: string) => boolean;
}

/** A text as forms are looked for in it: full-width signs plain, invisible ones removed. */
export function toPlainSigns(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** The category of the first form that stands in a text of plain signs; null for none. */
export function findForm(plain: string, forms: readonly ForbiddenForm[]): ForbiddenCategory | null {
  const found = forms.find(({ pattern, holds = () => true }) =>
    [...plain.matchAll(pattern)].some(([match]) => holds(match)),
  );
  return found?.category ?? null;
}

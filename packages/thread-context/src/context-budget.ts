import type { FitTextOptions } from '@agent/text';
import { estimateTokens } from '@agent/text';

/** Limits on how large the texts of a conversation may be together; both limits hold where both are given. */
export interface ContextBudgetOptions {
  /** Characters (UTF-16 units) of all contents together, inclusive. Default: no limit. */
  readonly maxContextChars?: number | undefined;
  /** Tokens of all contents together, inclusive, each content counted by itself. Default: no limit. */
  readonly maxContextTokens?: number | undefined;
  /** Counts the tokens of a text for `maxContextTokens`. Default: an estimate that knows no vocabulary. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** The limits to keep. One that is no whole number from 1 is ignored, with a warning (decision X1). */
export function toBudgets(
  options: ContextBudgetOptions,
  onWarning: (message: string) => void = () => {},
): FitTextOptions[] {
  const { maxContextChars, maxContextTokens, countTokens = estimateTokens } = options;
  const limits = [
    { name: 'maxContextChars', maxSize: maxContextChars, measure: (text: string) => text.length },
    { name: 'maxContextTokens', maxSize: maxContextTokens, measure: countTokens },
  ];
  return limits.flatMap(({ name, maxSize, measure }) => {
    if (maxSize === undefined) return [];
    if (Number.isSafeInteger(maxSize) && maxSize >= 1) return [{ maxSize, measure }];
    onWarning(`${name} must be a whole number from 1; got ${maxSize}, using no limit`);
    return [];
  });
}

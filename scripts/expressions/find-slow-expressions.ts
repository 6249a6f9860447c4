import { createHash } from 'node:crypto';
import { checkSync } from 'recheck';
import type { FoundExpression } from './list-expressions.ts';
import { toCheckable } from './to-checkable.ts';

/** An expression whose time may grow faster than its input. */
export interface SlowExpression extends FoundExpression {
  /** `3rd degree polynomial`, `exponential`, or why that could not be found out. */
  readonly complexity: string;
}

/** Expressions take a fraction of a second; only a machine that is busy for long reaches this. */
const timeout = 120_000;

/** Hashes of the expressions that are known to be linear. */
export type LinearExpressions = Set<string>;

/**
 * The expressions that are not linear, by automata: no guess, and the same on every machine.
 *
 * @param linear those that earlier runs found to be linear; gains those that this one finds
 */
export function findSlowExpressions(
  expressions: readonly FoundExpression[],
  linear: LinearExpressions = new Set(),
): readonly SlowExpression[] {
  return expressions.flatMap((expression) => {
    const { pattern, flags } = expression;
    const complexity = toCheckable(pattern, flags)
      .map((part) => findComplexity(part, { flags: flags.replace(/[im]/g, ''), linear }))
      .find((found) => found !== null);
    return complexity === undefined ? [] : [{ ...expression, complexity }];
  });
}

/** Null for a linear one. */
function findComplexity(
  pattern: string,
  { flags, linear }: { readonly flags: string; readonly linear: LinearExpressions },
): string | null {
  const key = createHash('sha256').update(`/${pattern}/${flags}`).digest('hex').slice(0, 24);
  if (linear.has(key)) return null;
  const result = checkSync(pattern, flags, { checker: 'automaton', timeout });
  if (result.status === 'unknown') return 'unknown';
  if (result.status === 'vulnerable') return result.complexity.summary;
  linear.add(key);
  return null;
}

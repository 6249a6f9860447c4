import { checkSync } from 'recheck';
import type { FoundExpression } from './list-expressions.ts';
import { toCheckable } from './to-checkable.ts';

/** An expression whose time may grow faster than its input. */
export interface SlowExpression extends FoundExpression {
  /** `3rd degree polynomial`, `exponential`, or why that could not be found out. */
  readonly complexity: string;
}

/** Expressions take a fraction of a second; only a machine that is busy for long reaches this. */
const timeout = 25_000;

/** Answers of earlier runs by expression: null for a linear one. */
export type KnownComplexities = Map<string, string | null>;

/** The expressions that are not linear, by automata: no guess, and the same on every machine. */
export function findSlowExpressions(
  expressions: readonly FoundExpression[],
  known: KnownComplexities = new Map(),
): readonly SlowExpression[] {
  return expressions.flatMap((expression) => {
    const { pattern, flags } = expression;
    const complexity = toCheckable(pattern, flags)
      .map((part) => findComplexity(part, { flags: flags.replace(/[im]/g, ''), known }))
      .find((found) => found !== null);
    return complexity === undefined ? [] : [{ ...expression, complexity }];
  });
}

function findComplexity(
  pattern: string,
  { flags, known }: { readonly flags: string; readonly known: KnownComplexities },
): string | null {
  const key = `/${pattern}/${flags}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const result = checkSync(pattern, flags, { checker: 'automaton', timeout });
  if (result.status === 'unknown') return 'unknown';
  const complexity = result.status === 'safe' ? null : result.complexity.summary;
  known.set(key, complexity);
  return complexity;
}

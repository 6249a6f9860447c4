import { applyMutant, type Mutant } from './list-mutants.ts';
import type { Outcome } from './run-mutants.ts';

export interface Verdicts {
  readonly area: string;
  readonly seed: string;
  readonly mutants: readonly Mutant[];
  /** In the order of the mutants. */
  readonly outcomes: readonly Outcome[];
}

/** Says how many were killed, by kind, and what each survivor looks like. */
export function formatVerdicts(
  { area, seed, mutants, outcomes }: Verdicts,
  sources: ReadonlyMap<string, string>,
): string {
  const tried = mutants
    .map((mutant, index) => ({ mutant, outcome: outcomes[index] ?? 'open' }))
    .filter(({ outcome }) => outcome !== 'open');
  const isKilled = (outcome: Outcome): boolean => outcome === 'killed' || outcome === 'stuck';
  const count = (kind: Mutant['kind'] | null): string => {
    const of = tried.filter(({ mutant }) => kind === null || mutant.kind === kind);
    const killed = of.filter(({ outcome }) => isKilled(outcome)).length;
    return `${killed} of ${of.length} killed${of.length === 0 ? '' : ` (${Math.round((killed * 100) / of.length)} %)`}`;
  };
  const survivors = tried
    .filter(({ outcome }) => !isKilled(outcome))
    .sort(
      (one, other) => one.mutant.file.localeCompare(other.mutant.file) || one.mutant.line - other.mutant.line,
    );
  return [
    `# mutants of ${area}, seed ${seed}: ${count(null)}${tried.length < mutants.length ? `, ${mutants.length - tried.length} not tried in time` : ''}`,
    '',
    `conditions: ${count('condition')}; operators: ${count('operator')}; dropped statements: ${count('dropped statement')}`,
    '',
    ...survivors.map(({ mutant, outcome }) => {
      const note = outcome === 'untested' ? ' (no unit test reaches it)' : '';
      return `${mutant.file}:${mutant.line}: ${describe(mutant, sources.get(mutant.file) ?? '')}${note}`;
    }),
    '',
  ].join('\n');
}

function describe(mutant: Mutant, text: string): string {
  const short = (part: string): string => {
    const line = part.replaceAll(/\s+/g, ' ');
    return line.length > 70 ? `${line.slice(0, 69)}…` : line;
  };
  if (mutant.kind === 'dropped statement') return `without ${short(text.slice(mutant.start, mutant.end))}`;
  const changed = applyMutant(text, mutant).slice(mutant.start, mutant.start + mutant.replacement.length);
  return `${short(text.slice(mutant.start, mutant.end))} → ${short(changed)}`;
}

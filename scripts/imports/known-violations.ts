import { isMap, isSeq, parseDocument, Scalar, YAMLSeq } from 'yaml';
import type { Violation } from './cruise-imports.ts';

/** The known violations as `rule` and `from → to`, by the rule. */
export type KnownViolations = ReadonlyMap<string, readonly string[]>;

/** Reads known-violations.yaml. */
export function parseKnownViolations(yaml: string): KnownViolations {
  return new Map(Object.entries((parseDocument(yaml).toJS() ?? {}) as Record<string, string[]>));
}

/** The violations that are not known. */
export function findNewViolations(
  violations: readonly Violation[],
  known: KnownViolations,
): readonly Violation[] {
  return violations.filter((violation) => known.get(violation.rule)?.includes(toEntry(violation)) !== true);
}

/** The known violations that no longer exist, one line each. */
export function findFixedViolations(
  violations: readonly Violation[],
  known: KnownViolations,
): readonly string[] {
  const current = new Set(violations.map((violation) => `${violation.rule}: ${toEntry(violation)}`));
  return [...known]
    .flatMap(([rule, entries]) => entries.map((entry) => `${rule}: ${entry}`))
    .filter((line) => !current.has(line));
}

/**
 * Replaces the entries of each rule by the current ones and keeps the comments of those that stay, for moved files and folders, too.
 * @throws {Error} if a package has more violations of a rule than before: the list only shrinks.
 */
export function renewKnownViolations(yaml: string, violations: readonly Violation[]): string {
  const known = parseKnownViolations(yaml);
  const document = parseDocument(yaml);
  if (!isMap(document.contents)) throw new Error('known-violations.yaml is not a list by rule');
  const rules = new Set([...known.keys(), ...violations.map(({ rule }) => rule)]);
  for (const rule of rules) {
    const current = [...new Set(violations.filter((violation) => violation.rule === rule).map(toEntry))];
    refuseGrowth(rule, known.get(rule) ?? [], current);
    const entries = document.get(rule);
    const kept = isSeq(entries) ? entries : new YAMLSeq();
    const before = new Map(kept.items.map((item) => [String((item as Scalar).value), item]));
    kept.items = current.sort().map((entry) => before.get(entry) ?? new Scalar(entry));
    if (kept.items.length === 0) document.delete(rule);
    else document.set(rule, kept);
  }
  return document.toString({ lineWidth: 0 });
}

function refuseGrowth(rule: string, before: readonly string[], after: readonly string[]): void {
  for (const [name, count] of countByPackage(after)) {
    const earlier = countByPackage(before).get(name) ?? 0;
    if (count > earlier)
      throw new Error(`${name} has ${count} violations of ${rule}, had ${earlier}: fix the new ones`);
  }
}

function countByPackage(entries: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const name = entry.split('/src/')[0] ?? entry;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function toEntry({ from, to }: Violation): string {
  return `${from} → ${to}`;
}

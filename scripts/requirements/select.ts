import { expandIds } from './named-ids.ts';
import { familyOf, type Requirement } from './parse-requirements.ts';

/** What the command line narrows by: families (`CC`), ids (`RL-1`) and ranges (`CC-1..CC-3`). */
export interface Selection {
  /** Empty for all. */
  readonly only: readonly string[];
  readonly except: readonly string[];
}

/** @throws when something is named that the document doesn't have, for it would be left out unnoticed. */
export function selectRequirements(
  requirements: readonly Requirement[],
  { only, except }: Selection,
): readonly Requirement[] {
  const included = only.length === 0 ? null : expandNames(requirements, only);
  const excluded = expandNames(requirements, except);
  return requirements.filter(({ id }) => (included === null || included.has(id)) && !excluded.has(id));
}

function expandNames(requirements: readonly Requirement[], names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => expandName(requirements, name)));
}

function expandName(requirements: readonly Requirement[], name: string): readonly string[] {
  const family = requirements.filter(({ id }) => familyOf(id) === name).map(({ id }) => id);
  const ids = family.length > 0 ? family : (expandIds(name) ?? [name]);
  const unknown = ids.filter((id) => !requirements.some((requirement) => requirement.id === id));
  if (unknown.length === 0) return ids;
  const families = [...new Set(requirements.map(({ id }) => familyOf(id)))].join(', ');
  throw new Error(`docs/requirements.md has no ${unknown.join(', ')}; its families are ${families}`);
}

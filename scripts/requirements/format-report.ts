import { type Covered, isLeft, isShown } from './coverage.ts';
import { familyOf } from './parse-requirements.ts';

const ID_WIDTH = 8;
const STATE_WIDTH = 22;
const TEXT_WIDTH = 100;

/** A line per requirement, its tests below it, and a sum per family at the end. */
export function formatReport(covered: readonly Covered[]): string {
  return [...covered.flatMap(formatRequirement), '', ...formatSums(covered)].join('\n');
}

function formatRequirement(entry: Covered): readonly string[] {
  const { id, text } = entry.requirement;
  const line = `${id.padEnd(ID_WIDTH)}${stateOf(entry).padEnd(STATE_WIDTH)}${shorten(text)}`;
  return [
    line,
    ...entry.tests.map(({ status, file, name }) => `${' '.repeat(ID_WIDTH)}${status}: ${name} (${file})`),
  ];
}

function stateOf(entry: Covered): string {
  if (entry.requirement.kind !== 'behaviour') return entry.requirement.kind;
  if (isShown(entry)) return `shown by ${entry.tests.length}`;
  if (isLeft(entry)) return 'left to test:full';
  return entry.tests.length > 0 ? 'NOT SHOWN (failing)' : 'NOT SHOWN';
}

function shorten(text: string): string {
  return text.length > TEXT_WIDTH ? `${text.slice(0, TEXT_WIDTH - 1)}…` : text;
}

function formatSums(covered: readonly Covered[]): readonly string[] {
  const families = [...new Set(covered.map(({ requirement }) => familyOf(requirement.id)))];
  return families.map((family) => {
    const members = covered.filter(({ requirement }) => familyOf(requirement.id) === family);
    const behaviours = members.filter(({ requirement }) => requirement.kind === 'behaviour');
    const [shown, left] = [behaviours.filter(isShown).length, behaviours.filter(isLeft).length];
    const others = members.length - behaviours.length;
    const further = `${left > 0 ? `, ${left} left to test:full` : ''}${others > 0 ? `, ${others} of other kinds` : ''}`;
    return `${family.padEnd(4)}${shown} of ${behaviours.length} behaviours shown${further}`;
  });
}

import type { Stretch } from './page.ts';

/** A set of UTF-16 units: for each unit there is, 1 when it is in the set. A look takes one read. */
export type UnitSet = Uint8Array;

export function toUnitSet(units: string): UnitSet {
  const set = new Uint8Array(0x10000);
  for (let index = 0; index < units.length; index += 1) set[units.charCodeAt(index)] = 1;
  return set;
}

/** All units that a set does not hold. */
export function toOthers(set: UnitSet): UnitSet {
  const others = new Uint8Array(set.length).fill(1);
  for (let unit = set.indexOf(1); unit !== -1; unit = set.indexOf(1, unit + 1)) others[unit] = 0;
  return others;
}

/** Tells whether a set holds a unit; none holds what stands outside of a text. */
export function holds(set: UnitSet, unit: number | undefined): boolean {
  return set[unit ?? 0x10000] === 1;
}

/** Finds where in a stretch the next unit of a set is, else its end. */
export function findNext(set: UnitSet, { units, start, end }: Stretch): number {
  let index = start;
  while (index < end && set[units[index] ?? 0] === 0) index += 1;
  return index;
}

/** Finds where in a stretch the next such unit is; null when there is none. */
export function findUnit(unit: number, { units, start, end }: Stretch): number | null {
  for (let index = start; index < end; index += 1) if (units[index] === unit) return index;
  return null;
}

const visible = toOthers(toUnitSet(' \t'));

/** Finds where spaces and tabs end. */
export function skipBlanks(stretch: Stretch): number {
  return findNext(visible, stretch);
}

/** Finds where the units of one sort end. */
export function skipRun(unit: number, { units, start, end }: Stretch): number {
  let index = start;
  while (index < end && units[index] === unit) index += 1;
  return index;
}

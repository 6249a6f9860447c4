import type { Stretch } from './page.ts';

/** A set of UTF-16 units: for each unit there is, 1 when it is in the set. A look takes one read. */
export type UnitSet = Uint8Array;

const units = 0x10000;
/** Sets that one stretch of memory has room for. */
const setsInARow = 32;
let row = new ArrayBuffer(0);
let next = 0;

/**
 * Sets lie side by side in large stretches of memory: of those the kernel gives a process the pages that it writes to. Signs
 * of ASCII fill one page of sixteen, and a process that cleans nothing has dozens of sets.
 */
function createSet(): Uint8Array {
  if (next === row.byteLength) [row, next] = [new ArrayBuffer(setsInARow * units), 0];
  const set = new Uint8Array(row, next, units);
  next += units;
  return set;
}

export function toUnitSet(signs: string): UnitSet {
  const set = createSet();
  for (let index = 0; index < signs.length; index += 1) set[signs.charCodeAt(index)] = 1;
  return set;
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

/** Finds where in a stretch the units of a set end. */
export function skipUnits(set: UnitSet, { units, start, end }: Stretch): number {
  let index = start;
  while (index < end && set[units[index] ?? 0] === 1) index += 1;
  return index;
}

/** Finds where in a stretch the next such unit is; null when there is none. */
export function findUnit(unit: number, { units, start, end }: Stretch): number | null {
  for (let index = start; index < end; index += 1) if (units[index] === unit) return index;
  return null;
}

const blanks = toUnitSet(' \t');

/** Finds where spaces and tabs end. */
export function skipBlanks(stretch: Stretch): number {
  return skipUnits(blanks, stretch);
}

/** Finds where the units of one sort end. */
export function skipRun(unit: number, { units, start, end }: Stretch): number {
  let index = start;
  while (index < end && units[index] === unit) index += 1;
  return index;
}

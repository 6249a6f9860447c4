import type { Span } from './edits.ts';

/**
 * A text that is read. Its UTF-16 units stand there as numbers, as strings come in a dozen representations, and code
 * that has met more than four of them reads each character many times slower.
 */
export interface Page {
  readonly text: string;
  readonly units: Uint16Array;
  /** More stood behind its end: what is open there hides what follows, as it may have been closed. */
  readonly isCut: boolean;
}

/** A part of a page. */
export interface Stretch extends Span {
  readonly units: Uint16Array;
}

export function toPage(text: string, { isCut = false }: Partial<Pick<Page, 'isCut'>> = {}): Page {
  const { buffer, byteOffset } = Buffer.from(text, 'utf16le');
  return { text, isCut, units: new Uint16Array(buffer, byteOffset, text.length) };
}

/** The text of units that were changed. */
export function toText({ buffer, byteOffset, byteLength }: Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}

/** The character at an index of a well-formed text, and -1 outside of it. */
export function codePointAt(units: Uint16Array, index: number): number {
  const unit = units[index] ?? -1;
  if (unit < 0xd800 || unit > 0xdbff) return unit;
  return 0x10000 + ((unit - 0xd800) << 10) + ((units[index + 1] ?? 0) - 0xdc00);
}

/** The character that ends at an index of a well-formed text, and -1 before the first. */
export function codePointBefore(units: Uint16Array, index: number): number {
  const unit = units[index - 1] ?? -1;
  return unit >= 0xdc00 && unit <= 0xdfff ? codePointAt(units, index - 2) : unit;
}

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

/** Finds where the first occurrence of a few signs in a stretch ends; null when there is none. */
export function findSequence(sequence: string, { units, start, end }: Stretch): number | null {
  const last = sequence.length - 1;
  let index = findUnit(sequence.charCodeAt(last), { units, start: start + last, end });
  while (index !== null && !endsAt(sequence, { units, index }))
    index = findUnit(sequence.charCodeAt(last), { units, start: index + 1, end });
  return index === null ? null : index + 1;
}

function endsAt(
  sequence: string,
  { units, index }: { readonly units: Uint16Array; readonly index: number },
): boolean {
  const start = index - sequence.length + 1;
  for (let offset = 0; offset < sequence.length; offset += 1)
    if (units[start + offset] !== sequence.charCodeAt(offset)) return false;
  return true;
}

/** White space, as JavaScript takes it. */
export const whiteSpaceSigns =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
export const whiteSpace = toUnitSet(whiteSpaceSigns);

/** Letters of ASCII. */
export const letterSigns = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const letters = toUnitSet(letterSigns);
export const nameSigns = `${letterSigns}0123456789`;
export const lettersAndDigits = toUnitSet(nameSigns);

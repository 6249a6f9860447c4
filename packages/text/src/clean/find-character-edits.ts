import {
  type CharacterPlace,
  classifyCharacter,
  createDirectionFinder,
  findSuspicious,
  isBidirectional,
  isHan,
  isLegitimate,
  isPictograph,
  isRightToLeft,
  isSuspicious,
} from './character-classes.ts';
import type { Edit, Span } from './edits.ts';
import { codePointAt, codePointBefore, findNext, holds, toUnitSet } from './page.ts';

const blackFlag = 0x1f3f4;
const cancelTag = 0xe007f;
/** The regions that fonts have flags of; with any other a plain black flag is shown. */
const regions = new Set(['gbeng', 'gbsct', 'gbwls', 'ustx', 'usca']);
/** The longest run of characters without a shape that code has; longer ones carry a text. */
const maxRunInCode = 3;

/**
 * Finds the characters without a shape that do no work where they stand. In code only those go that carry text, and
 * what turns the direction of text is shown.
 */
export function findCharacterEdits(units: Uint16Array, code: readonly Span[]): Edit[] {
  const isNearRightToLeft = createDirectionFinder(units);
  const reader: Reader = {
    units,
    start: 0,
    end: 0,
    before: -1,
    isNearRightToLeft,
    edits: [],
    kept: [],
    inCode: false,
  };
  let nextCode = 0;
  for (let index = findSuspicious(units, 0); index < units.length; ) {
    while ((code[nextCode]?.end ?? Number.POSITIVE_INFINITY) <= index) nextCode += 1;
    reader.inCode = (code[nextCode]?.start ?? Number.POSITIVE_INFINITY) <= index;
    index = findSuspicious(units, readRun(reader, index));
  }
  const tooMany = findTooMany(reader.kept, units);
  return reader.edits.concat(
    tooMany.map(({ start, end, code: point }) => ({ start, end, kind: classifyCharacter(point) })),
  );
}

/** The place where the reading is: `start` to `end` is the character that is looked at. One record serves all of them. */
interface Reader extends CharacterPlace {
  start: number;
  end: number;
  before: number;
  inCode: boolean;
  readonly edits: Edit[];
  readonly kept: KeptCharacter[];
}

/** Reads a run of suspicious characters and says where it ends. */
function readRun(reader: Reader, from: number): number {
  const { units, inCode } = reader;
  const runEnd = findRunEnd(units, from);
  const isCode = inCode && runEnd - from <= maxRunInCode;
  reader.before = codePointBefore(units, from);
  reader.end = from;
  while (reader.end < runEnd) {
    reader.start = reader.end;
    const flagEnd =
      reader.before === blackFlag ? findFlagEnd(units, { start: reader.start, end: runEnd }) : null;
    if (flagEnd === null) readCharacter(reader, isCode);
    else {
      reader.before = cancelTag;
      reader.end = flagEnd;
    }
  }
  return runEnd;
}

function readCharacter(reader: Reader, isCode: boolean): void {
  const { units, start, edits } = reader;
  const point = codePointAt(units, start);
  const end = start + widthOf(point);
  reader.end = end;
  if (isCode && isBidirectional(point)) {
    edits.push({ start, end, kind: 'bidirectional-control', replacement: toEscape(point) });
  } else if (isLegitimate(point, reader) || (isCode && point < 0xe0000)) {
    if (isCounted(point, reader))
      reader.kept.push({ start, end, code: point, before: reader.before, inCode: reader.inCode });
    reader.before = point;
  } else addCut(edits, { start, end, kind: classifyCharacter(point) });
}

/** Neighbors of one kind are one piece. */
function addCut(edits: Edit[], cut: Edit): void {
  const last = edits.at(-1);
  const goesOn = last?.end === cut.start && last.kind === cut.kind && last.replacement === undefined;
  if (goesOn) edits[edits.length - 1] = { start: last.start, end: cut.end, kind: cut.kind };
  else edits.push(cut);
}

function findRunEnd(units: Uint16Array, start: number): number {
  let end = start;
  while (end < units.length) {
    const point = codePointAt(units, end);
    if (!isSuspicious(point)) break;
    end += widthOf(point);
  }
  return end;
}

/** Finds where the tags of a known flag end that begin here; null when there are none. */
function findFlagEnd(units: Uint16Array, { start, end }: Span): number | null {
  let region = '';
  for (let index = start; index < end && region.length < 8; index += 2) {
    const tag = codePointAt(units, index) - 0xe0000;
    if (tag === 0x7f) return regions.has(region) ? index + 2 : null;
    if (tag < 0x20 || tag > 0x7e) return null;
    region += String.fromCharCode(tag);
  }
  return null;
}

/** A dozen at most: there are no more controls of direction. */
const escapes = new Map<number, string>();

/** Writes a character as JavaScript does: `\u202E`. */
function toEscape(point: number): string {
  const known = escapes.get(point);
  if (known !== undefined) return known;
  const shown = `\\u${point.toString(16).toUpperCase().padStart(4, '0')}`;
  escapes.set(point, shown);
  return shown;
}

function widthOf(point: number): 1 | 2 {
  return point > 0xffff ? 2 : 1;
}

/** A character without a shape that was left where it stands, as it may do its work there. */
interface KeptCharacter extends Span {
  readonly code: number;
  /** The code point before it. */
  readonly before: number;
  readonly inCode: boolean;
}

/** People use a form, or do not: so many exceptions are no habit but a message. */
const maxPictureExceptions = 8;
const maxFormExceptions = 4;
/** The number of different characters that have an unusual form in no text but a list of them. */
const maxForms = 8;
const maxGraphemeJoiners = 4;
const maxInCode = 8;
const maxMarks = 4;
/** Letters written from right to left for each mark more. */
const lettersPerMark = 32;

/** Finds, of the characters without a shape that were kept, those that are too many for the work they do: they could spell. */
function findTooMany(kept: readonly KeptCharacter[], units: Uint16Array): readonly KeptCharacter[] {
  const code = kept.filter(({ inCode }) => inCode);
  const text = kept.filter(({ inCode }) => !inCode);
  const pictures = text.filter(({ code: point, before }) => isForm(point) && isPictograph(before));
  const forms = text.filter(({ code: point, before }) => isForm(point) && !isPictograph(before));
  const joiners = text.filter(({ code: point }) => point === 0x34f);
  const marks = text.filter(({ code: point }) => point === 0x200e || point === 0x200f || point === 0x61c);
  return [
    ...(code.length > maxInCode ? code : []),
    ...(pictures.length > 0 && countExceptions(pictures, units) > maxPictureExceptions ? pictures : []),
    ...(isNoHabit(forms, units) ? forms : []),
    ...(joiners.length > maxGraphemeJoiners ? joiners : []),
    ...(marks.length > maxMarks && marks.length > maxMarks + countRightToLeft(units) / lettersPerMark
      ? marks
      : []),
  ];
}

/** Tells whether a character is of a sort that is counted; an honest text may have any number of the others. */
function isCounted(code: number, { inCode }: { readonly inCode: boolean }): boolean {
  return inCode || isForm(code) || code === 0x34f || code === 0x200e || code === 0x200f || code === 0x61c;
}

function isForm(code: number): boolean {
  return (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
}

function isNoHabit(forms: readonly KeptCharacter[], units: Uint16Array): boolean {
  if (forms.length <= maxFormExceptions) return false;
  return (
    new Set(forms.map(({ before }) => before)).size > maxForms ||
    countExceptions(forms, units) > maxFormExceptions
  );
}

/** Counts how often characters stand in another form than they mostly have, or in none. */
function countExceptions(forms: readonly KeptCharacter[], units: Uint16Array): number {
  const habits = new Map<number, Map<number, number>>();
  for (const { before, code } of forms) {
    const habit = habits.get(before) ?? new Map<number, number>([[0, 0]]);
    habit.set(code, (habit.get(code) ?? 0) + 1);
    habits.set(before, habit);
  }
  countAll(habits, units);
  let exceptions = 0;
  for (const habit of habits.values()) {
    const counts = [...habit.values()];
    exceptions += counts.reduce((sum, count) => sum + count, 0) - Math.max(...counts);
  }
  return exceptions;
}

/** Adds those that stand in no form at all. */
function countAll(habits: ReadonlyMap<number, Map<number, number>>, units: Uint16Array): void {
  for (const habit of habits.values()) {
    const formed = [...habit.values()].reduce((sum, count) => sum + count, 0);
    habit.set(0, -formed);
  }
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index] ?? 0;
    const isPair = unit >= 0xd800 && unit <= 0xdbff;
    const point = isPair ? 0x10000 + ((unit - 0xd800) << 10) + ((units[index + 1] ?? 0) - 0xdc00) : unit;
    const habit = habits.get(point);
    if (habit !== undefined) habit.set(0, (habit.get(0) ?? 0) + 1);
    if (isPair) index += 1;
  }
}

function countRightToLeft(units: Uint16Array): number {
  let count = 0;
  for (const unit of units) if (isRightToLeft(unit)) count += 1;
  return count;
}

const breaking = '\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u205f';
const noBreak = '\u00a0\u202f';
const ideographic = 0x3000;
const brailleBlank = 0x2800;

/** Units that look like a space and are none. */
export const blankSigns = `${breaking}${noBreak}\u3000\u2800`;
const blankUnits = toUnitSet(blankSigns);
const noBreaks = toUnitSet(noBreak);

/** Blanks of many widths, which no eye tells apart: outside of code and of their scripts they become plain spaces. */
export function findBlankEdits(units: Uint16Array, code: readonly Span[]): Edit[] {
  const edits: Edit[] = [];
  let nextCode = 0;
  for (let index = findBlank(units, 0); index < units.length; ) {
    while ((code[nextCode]?.end ?? Number.POSITIVE_INFINITY) <= index) nextCode += 1;
    let end = index;
    while (holds(blankUnits, units[end])) end += 1;
    const inCode = (code[nextCode]?.start ?? Number.POSITIVE_INFINITY) <= index;
    if (!inCode && !(end === index + 1 && isAtWork(units, index)))
      edits.push({ start: index, end, kind: 'odd-blank', replacement: ' ' });
    index = findBlank(units, end);
  }
  return edits;
}

function findBlank(units: Uint16Array, start: number): number {
  return findNext(blankUnits, { units, start, end: units.length });
}

/** Tells whether a blank does its work there: keeps a sign or a number with its word, parts Japanese, stands among Braille. */
function isAtWork(units: Uint16Array, index: number): boolean {
  const unit = units[index] ?? 0;
  const [before, after] = [units[index - 1] ?? 0x0a, units[index + 1] ?? 0x0a];
  if (unit === ideographic) return isEastAsian(before) || isEastAsian(after);
  if (unit === brailleBlank) return isBraille(before) || isBraille(after);
  const isApart = before <= 0x20 || after <= 0x20;
  return holds(noBreaks, unit) && !isApart && !(isLetter(before) && isLetter(after));
}

function isEastAsian(unit: number): boolean {
  return (
    isHan(unit) || (unit >= 0x3001 && unit <= 0x30ff) || unit >= 0xff00 || (unit >= 0xac00 && unit <= 0xdfff)
  );
}

function isBraille(unit: number): boolean {
  return unit > brailleBlank && unit <= 0x28ff;
}

function isLetter(unit: number): boolean {
  return unit > 0xbf || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

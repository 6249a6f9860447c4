import { classifyCharacter, findSuspicious, isBidirectional, isSuspicious } from './character-classes.ts';
import type { Edit, Span } from './edits.ts';
import { findTooMany, isCounted, type KeptCharacter } from './invisible-habits.ts';
import { type CharacterPlace, createDirectionFinder, isLegitimate } from './legitimate-character.ts';
import { codePointAt, codePointBefore } from './page.ts';

const blackFlag = 0x1f3f4;
const cancelTag = 0xe007f;
/** The regions that fonts have flags of; with any other a plain black flag is shown. */
const regions = new Set(['gbeng', 'gbsct', 'gbwls', 'ustx', 'usca']);
/** So many characters without a shape side by side are no part of any code: they carry a text. */
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

/** Neighbours of one kind are one piece. */
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

/** As JavaScript writes it: `\u202E`. */
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

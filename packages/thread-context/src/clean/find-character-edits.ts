import { classifyCharacter, isBidirectional, isSuspicious } from './character-classes.ts';
import type { Edit, Span } from './edits.ts';
import { isLegitimate } from './legitimate-character.ts';

const lineFeed = 0x0a;
const blackFlag = 0x1f3f4;
/** The regions that fonts have flags of; with any other a plain black flag is shown. */
const regions = new Set(['gbeng', 'gbsct', 'gbwls', 'ustx', 'usca']);
/** So many characters without a shape side by side are no part of any code: they carry a text. */
const maxRunInCode = 3;

/**
 * Finds the characters without a shape that do no work where they stand. In code only those go that carry text, and
 * what turns the direction of text is shown.
 */
export function findCharacterEdits(text: string, code: readonly Span[]): readonly Edit[] {
  const edits: Edit[] = [];
  let nextCode = 0;
  for (let index = 0; index < text.length; ) {
    const unit = text.charCodeAt(index);
    if (unit < 0x7f && (unit >= 0x20 || unit === lineFeed)) {
      index += 1;
      continue;
    }
    const point = text.codePointAt(index) ?? unit;
    if (!isSuspicious(point)) {
      index += widthOf(point);
      continue;
    }
    while ((code[nextCode]?.end ?? Number.POSITIVE_INFINITY) <= index) nextCode += 1;
    const inCode = (code[nextCode]?.start ?? Number.POSITIVE_INFINITY) <= index;
    index = readRun(text, { start: index, inCode, edits });
  }
  return edits;
}

/** A dozen at most: there are no more controls of direction. */
const escapes = new Map<number, string>();

interface RunOptions {
  readonly start: number;
  readonly inCode: boolean;
  readonly edits: Edit[];
}

/** Reads a run of suspicious characters and says where it ends. */
function readRun(text: string, { start, inCode, edits }: RunOptions): number {
  const end = findRunEnd(text, start);
  const isShort = end - start <= maxRunInCode;
  let before = codeBefore(text, start);
  for (let index = start; index < end; ) {
    const flagEnd = before === blackFlag ? findFlagEnd(text, { start: index, end }) : null;
    if (flagEnd !== null) {
      before = 0xe007f;
      index = flagEnd;
      continue;
    }
    const point = text.codePointAt(index) ?? 0;
    const next = index + widthOf(point);
    if (inCode && isShort && isBidirectional(point)) {
      addEdit(edits, {
        start: index,
        end: next,
        kind: 'bidirectional-control',
        replacement: toEscape(point),
      });
    } else if (
      isLegitimate(point, { text, start: index, end: next, before }) ||
      (inCode && isShort && point < 0xe0000 && !isBidirectional(point))
    ) {
      before = point;
    } else {
      addEdit(edits, { start: index, end: next, kind: classifyCharacter(point) });
    }
    index = next;
  }
  return end;
}

/** Neighbours of one kind are one piece. */
function addEdit(edits: Edit[], edit: Edit): void {
  const last = edits.at(-1);
  const goesOn = last?.end === edit.start && last.kind === edit.kind && edit.replacement === undefined;
  if (!goesOn || last.replacement !== undefined) edits.push(edit);
  else edits[edits.length - 1] = { ...last, end: edit.end };
}

function findRunEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const point = text.codePointAt(end) ?? 0;
    if (!isSuspicious(point)) break;
    end += widthOf(point);
  }
  return end;
}

/** Where the tags of a known flag end that begin here; null when there are none. */
function findFlagEnd(text: string, { start, end }: Span): number | null {
  let region = '';
  for (let index = start; index < end && region.length < 8; index += 2) {
    const tag = (text.codePointAt(index) ?? 0) - 0xe0000;
    if (tag === 0x7f) return regions.has(region) ? index + 2 : null;
    if (tag < 0x20 || tag > 0x7e) return null;
    region += String.fromCharCode(tag);
  }
  return null;
}

function codeBefore(text: string, index: number): number {
  const unit = index > 0 ? text.charCodeAt(index - 1) : Number.NaN;
  return unit >= 0xdc00 && unit <= 0xdfff ? (text.codePointAt(index - 2) ?? unit) : unit;
}

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

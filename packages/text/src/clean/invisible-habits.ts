import { isPictograph, isRightToLeft } from './character-classes.ts';
import type { Span } from './edits.ts';

/** A character without a shape that was left where it stands, as it may do its work there. */
export interface KeptCharacter extends Span {
  readonly code: number;
  /** The code point before it. */
  readonly before: number;
  readonly inCode: boolean;
}

/** People use a form, or do not: so many exceptions are no habit but a message. */
const maxPictureExceptions = 8;
const maxFormExceptions = 4;
/** So many different characters have an unusual form in no text but a list of them. */
const maxForms = 8;
const maxGraphemeJoiners = 4;
const maxInCode = 8;
const maxMarks = 4;
/** Letters written from right to left for each mark more. */
const lettersPerMark = 32;

/** Finds, of the characters without a shape that were kept, those that are too many for the work they do: they could spell. */
export function findTooMany(kept: readonly KeptCharacter[], units: Uint16Array): readonly KeptCharacter[] {
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

/** Those of one sort may be many in honest texts; these are the sorts that are counted. */
export function isCounted(code: number, { inCode }: { readonly inCode: boolean }): boolean {
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

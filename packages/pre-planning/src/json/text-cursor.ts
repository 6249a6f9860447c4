/** A place in a text that readers move forward. */
export interface TextCursor {
  readonly text: string;
  at: number;
  /** How many more things are looked at; behind the last of them the text counts as broken off. */
  steps: number;
}

/** Counts one thing that is looked at. */
export function countStep(cursor: TextCursor): void {
  cursor.steps -= 1;
  if (cursor.steps < 0) cursor.at = cursor.text.length;
}

const blank = /[\s\u00a0\u200b\ufeff]*/y;
const lineComment = /(?:\/\/|#)[^\n]*/y;
const blockComment = '/*';
const ellipsis = /\.\.\.|…/y;

/** Moves behind what an expression of the sticky kind finds here, and gives it back; empty where it finds nothing. */
export function take(cursor: TextCursor, expression: RegExp): string {
  expression.lastIndex = cursor.at;
  const found = expression.exec(cursor.text)?.[0] ?? '';
  cursor.at += found.length;
  return found;
}

/** Where the first sign stands that is no space. */
export function findInk(text: string, from: number): number {
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex;
}

/** Moves behind spaces, comments and dots that stand for more. */
export function skipSpace(cursor: TextCursor): void {
  for (;;) {
    cursor.at = findInk(cursor.text, cursor.at);
    const before = cursor.at;
    if (!'/#.…'.includes(cursor.text.charAt(before) || ' ')) return;
    if (cursor.text.startsWith(blockComment, before)) skipBlockComment(cursor);
    else if (take(cursor, lineComment) === '') take(cursor, ellipsis);
    if (cursor.at === before) return;
    countStep(cursor);
  }
}

function skipBlockComment(cursor: TextCursor): void {
  const end = cursor.text.indexOf('*/', cursor.at + blockComment.length);
  cursor.at = end === -1 ? cursor.text.length : end + 2;
}

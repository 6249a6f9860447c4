import { findGraphemeCut } from '@agent/text';
import { unfinishedMarkChars } from './hidden-marks.ts';

/** Limits of a platform, in UTF-16 units. */
export interface SplitAnswerOptions {
  /** The longest message that it takes. */
  readonly maxChars: number;
  /** The longest part of several, so that there is room for the mark of the unfinished and for what an edit may add. */
  readonly maxPartChars: number;
  /** True: a single part leaves room for the mark of the unfinished, too. Default: false. */
  readonly hasRoomForMark?: boolean | undefined;
}

const closing = '\n```';

/**
 * Splits an answer into messages that a chat takes: at lines, else at spaces, else between two characters. A code
 * block that goes on is closed and opened again. Nothing that people see is lost but the white space at the cuts.
 *
 * @example
 * splitAnswer('one two', { maxChars: 5, maxPartChars: 5 }); // ['one', 'two']
 *
 * @see decision D10
 */
export function splitAnswer(
  text: string,
  { maxChars, maxPartChars, hasRoomForMark = false }: SplitAnswerOptions,
): readonly string[] {
  const maxFirst = hasRoomForMark ? maxChars - unfinishedMarkChars : maxChars;
  const parts: string[] = [];
  let rest = text.trim();
  let opening = '';
  while (rest !== '') {
    const whole = opening + rest;
    if (whole.length <= (parts.length === 0 ? maxFirst : maxPartChars)) {
      parts.push(whole);
      break;
    }
    const cut = findPartEnd(rest, { opening, maxPartChars });
    const part = opening + rest.slice(0, cut).trimEnd();
    const fence = findOpenFence(part);
    parts.push(fence === null ? part : part + closing);
    opening = fence === null ? '' : `${fence.opening}\n`;
    rest = fence === null ? rest.slice(cut).trimStart() : rest.slice(cut).replace(/^\n/, '');
  }
  return parts.filter((part) => part.trim() !== '');
}

function findPartEnd(
  rest: string,
  { opening, maxPartChars }: { readonly opening: string; readonly maxPartChars: number },
): number {
  const room = maxPartChars - opening.length - closing.length;
  const cut = findPlainCut(rest, room);
  const fence = findOpenFence(opening + rest.slice(0, cut));
  if (fence === null) return cut;
  // A block that would only just be opened begins in the next part.
  const start = fence.start - opening.length;
  const isEmpty = rest.slice(start + fence.opening.length, cut).trim() === '';
  return isEmpty && start > 0 ? start : cut;
}

function findPlainCut(rest: string, room: number): number {
  const lineEnd = rest.lastIndexOf('\n', room);
  if (lineEnd > room / 4) return lineEnd;
  const space = rest.lastIndexOf(' ', room);
  if (space > room / 4) return space;
  const cut = findGraphemeCut(rest, room);
  // Three backticks in a row are one sign.
  const ticks = /`{1,2}$/.exec(rest.slice(0, cut));
  const apart = ticks !== null && rest[cut] === '`' ? cut - ticks[0].length : cut;
  return apart > 0 ? apart : room;
}

/** A code block that a text opens and does not close. */
interface Fence {
  readonly start: number;
  /** The backticks with the language behind them. */
  readonly opening: string;
}

/**
 * Discord opens and closes a block at every three backticks, wherever they stand. The word behind the opening ones
 * is the language if the line ends there.
 */
export function findOpenFence(text: string): Fence | null {
  let open: Fence | null = null;
  for (const { 0: opening, index } of text.matchAll(/```(?:[\w+#.-]{1,40}(?=\n|$))?/g)) {
    open = open === null ? { start: index, opening } : null;
  }
  return open;
}

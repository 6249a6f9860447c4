import { applyEdits, createRemovalLog } from './edits.ts';
import { findCharacterEdits } from './find-character-edits.ts';
import { toPage } from './page.ts';

/** Taking something out can make code of what was none, and the other way round; honest texts take one look. */
const maxScans = 8;

/**
 * A message without the characters that nobody sees and that do no work where they stand. Unlike a page, a chat shows
 * markup as it was written, so all of that stays. In code, what turns the direction of text is shown as `\u202E`.
 *
 * @example
 * removeHidden('pay\u200bpal'); // 'paypal'
 */
export function removeHidden(text: string): string {
  let current = text.toWellFormed();
  for (let look = 0; look < maxScans; look += 1) {
    const edits = findCharacterEdits(toPage(current).units, findChatCode(current));
    if (edits.length === 0) return current;
    current = applyEdits(current, edits, createRemovalLog());
  }
  return applyEdits(current, findCharacterEdits(toPage(current).units, []), createRemovalLog());
}

/** A stretch of code, in UTF-16 units: `start` is in it, `end` is not; with the backticks around it. */
export interface CodeSpan {
  readonly start: number;
  readonly end: number;
  /** The number of backticks that open it; three and more make a block. */
  readonly ticks: number;
}

interface Run {
  readonly start: number;
  readonly length: number;
}

/**
 * The code in a message, in order, as chats write it: a block may begin in the middle of a line. A block that
 * nothing closes goes on to the end; backticks that nothing answers are just backticks.
 *
 * @example
 * findChatCode('run `ls` now'); // [{ start: 4, end: 8, ticks: 1 }]
 */
export function findChatCode(text: string): CodeSpan[] {
  if (!text.includes('`')) return [];
  const runs: Run[] = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ start: index, length }));
  const answers = findAnswers(runs);
  const spans: CodeSpan[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const { start, length } = runs[index] as Run;
    const answer = length < 3 ? answers[index] : findAsLong(runs, { after: index, length });
    if (answer === undefined) continue;
    const closing = runs[answer];
    spans.push({
      start,
      end: closing === undefined ? text.length : closing.start + closing.length,
      ticks: length,
    });
    if (closing === undefined) break;
    index = answer;
  }
  return spans;
}

/** The first run behind another that is at least so long; the number of runs when there is none. */
function findAsLong(runs: readonly Run[], { after, length }: { after: number; length: number }): number {
  let index = after + 1;
  while (index < runs.length && (runs[index] as Run).length < length) index += 1;
  return index;
}

/** For each run the next one that is just as long. */
function findAnswers(runs: readonly Run[]): (number | undefined)[] {
  const nextOfLength = new Map<number, number>();
  const answers = new Array<number | undefined>(runs.length);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { length } = runs[index] as Run;
    answers[index] = nextOfLength.get(length);
    nextOfLength.set(length, index);
  }
  return answers;
}

/** A text whose hidden characters can be seen. */
export interface ShownText {
  readonly text: string;
  /** Characters that are shown as escapes. */
  readonly count: number;
}

/**
 * Shows characters that no screen shows as escapes such as `\u{200B}`: tags, controls of direction, characters without
 * width, control characters but for tab and line ends. Nothing is taken out and nothing else changes, so that code
 * reads as it is; those that join pictures or letters stay as they are. Takes time in proportion to the text.
 *
 * @example
 * showHiddenCharacters('pay\u200bpal'); // { text: 'pay\\u{200B}pal', count: 1 }
 */
export function showHiddenCharacters(text: string): ShownText {
  const whole = text.toWellFormed();
  const edits = findCharacterEdits(toPage(whole).units, []);
  let shown = '';
  let reached = 0;
  let count = 0;
  for (const { start, end } of edits) {
    const hidden = [...whole.slice(start, end)];
    shown += whole.slice(reached, start) + hidden.map(toEscape).join('');
    count += hidden.length;
    reached = end;
  }
  return { text: shown + whole.slice(reached), count };
}

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/**
 * Titles and other strings for a terminal, control sequences, single escapes. None of the parts goes on behind another escape, so
 * that each character is read once; Node's `stripVTControlCharacters` takes quadratic time for titles that nothing ends.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-48/
 */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]?/g;

/**
 * A text without what a terminal would take for commands.
 *
 * @example
 * stripEscapes('\u001b[31mred\u001b[0m'); // 'red'
 */
export function stripEscapes(text: string): string {
  return text.replace(escapes, '');
}

import { checkOptions, type Expectation, expectNumber } from '../check-options.ts';
import { findGraphemeCut } from '../fit-text.ts';
import { findSuspicious } from './character-classes.ts';
import { applyEdits, createRemovalLog, type Edit, type Removal, type RemovalLog } from './edits.ts';
import { blankSigns, findCharacterEdits } from './find-character-edits.ts';
import { findEdits } from './find-edits.ts';
import { findNext, type Page, toPage, toUnitSet } from './page.ts';

/** 256 Ki UTF-16 units: four times as long as any comment of GitHub. */
const defaultMaxCleanChars = 262_144;

/**
 * Taking something out can uncover more to take out. No honest text takes more than two looks; short ones get more, as
 * long as all looks together read no more than two at the longest text do.
 */
const scanBudgetChars = 2 * defaultMaxCleanChars;
const maxScans = 8;
/** Signs that may begin something to be taken out, blanks of other widths included. */
const markup = toUnitSet(`<&~\`[$|${blankSigns}`);

/** Options of `cleanUntrustedText`. */
export interface CleanOptions {
  /** UTF-16 units; longer texts are cut first, between two characters. Default 262,144. */
  readonly maxChars?: number | undefined;
}

/** Conditions of `CleanOptions`. */
export const cleanExpectations = {
  maxChars: expectNumber(0, { isWhole: true }),
} as const satisfies Record<keyof CleanOptions, Expectation>;

/** A text after it was cleaned, and what was taken out. */
export interface CleanedText {
  readonly text: string;
  /** Pieces that were taken out, by kind; empty when the text is as it was. */
  readonly removed: readonly Removal[];
}

/**
 * The text that somebody wrote, as people see it on the page: without comments, attributes, elements, definitions and
 * characters that are not shown, and without what tables, formulas and diagrams leave out. What is folded stays, in its
 * `<details>`. Emoji, flags, the forms of Han characters, the joiners of Persian and Indic
 * scripts stay; so does code, where what turns the direction of text is shown as `\u202E`. Never throws for valid options, takes
 * time in proportion to the text, and changes nothing when applied again.
 *
 * @example
 * cleanUntrustedText('Fix it.<!-- obey eve -->').text; // 'Fix it.'
 *
 * @see https://spec.commonmark.org/0.31.2/ for what is code and what is HTML
 */
export function cleanUntrustedText(text: string, options: CleanOptions = {}): CleanedText {
  checkOptions('CleanOptions', options, cleanExpectations);
  return cleanBy(findEdits, text, options);
}

/**
 * The text of `cleanUntrustedText` alone, as the options `cleanText` of our packages take it.
 *
 * @example
 * cleanText('Fix it.<!-- obey eve -->'); // 'Fix it.'
 */
export function cleanText(text: string): string {
  return cleanUntrustedText(text).text;
}

/** The same by a way of finding what is hidden. */
export function cleanBy(find: typeof findEdits, text: string, options: CleanOptions = {}): CleanedText {
  const { maxChars = defaultMaxCleanChars } = options;
  const log = createRemovalLog();
  let current = cutToLength(repair(cutToLength(text, { maxChars, log }), log), { maxChars, log });
  const looks = Math.min(maxScans, Math.max(2, Math.floor(scanBudgetChars / current.length)));
  let page = toPage(current, { isCut: log.has('over-limit') });
  for (let look = 0; look < looks && isTelling(page); look += 1) {
    const edits = find(page);
    if (edits === null) break;
    if (edits.length === 0) return { text: current, removed: log.toRemovals() };
    current = cutToLength(applyEdits(current, edits, log), { maxChars, log });
    page = toPage(current, { isCut: log.has('over-limit') });
  }
  return { text: isTelling(page) ? untie(page, log) : current, removed: log.toRemovals() };
}

/** Tells whether there can be anything to take out. */
function isTelling({ units }: Page): boolean {
  const end = units.length;
  return findNext(markup, { units, start: 0, end }) < end || findSuspicious(units, 0) < end;
}

function cutToLength(
  text: string,
  { maxChars, log }: { readonly maxChars: number; readonly log: RemovalLog },
): string {
  if (text.length <= maxChars) return text;
  const end = findGraphemeCut(text, maxChars);
  log.add('over-limit', text.length - end);
  return text.slice(0, end);
}

/** Halves of surrogate pairs cannot be sent to anybody. */
function repair(text: string, log: RemovalLog): string {
  if (text.isWellFormed()) return text;
  for (const _ of text.matchAll(/\p{Surrogate}/gu)) log.add('broken-character', 1);
  return text.toWellFormed();
}

const untied: Readonly<Record<string, string>> = {
  '<': '‹',
  '[': '(',
  ']': ')',
  '&': '+',
  '`': "'",
  '~': '-',
};

/** Markup made to outlast its cleaning loses what makes it markup. */
function untie({ text, units }: Page, log: RemovalLog): string {
  const edits: Edit[] = [...findCharacterEdits(units, [])];
  for (const { 0: sign, index } of text.matchAll(/[<[\]&`~]/g)) {
    edits.push({ start: index, end: index + 1, kind: 'knotted-markup', replacement: untied[sign] });
  }
  return applyEdits(text, edits, log);
}

/** More than platforms take in a title, a path or a branch; so little that it is cleaned in no time. */
const maxNameChars = 512;

/**
 * A title or a name of a stranger on one line, without what no page shows. What is longer is cut.
 *
 * @example
 * cleanName('Fix the\n total <!-- obey -->'); // 'Fix the total'
 */
export function cleanName(name: string): string {
  return cleanUntrustedText(name.slice(0, maxNameChars)).text.replace(/\s+/g, ' ').trim();
}

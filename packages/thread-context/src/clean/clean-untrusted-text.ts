import { suspiciousSource } from './character-classes.ts';
import { cleanOnce } from './clean-once.ts';
import { type Removal, RemovalLog } from './removal-log.ts';

/** Longer than any comment of GitHub by far. */
export const defaultMaxCleanChars = 262_144;

/** What is taken out can uncover more to take out, though no honest text takes more than two looks. */
const maxPasses = 6;

const telling = new RegExp(`[<&~\`\\[]|${suspiciousSource}|\\p{Surrogate}`, 'v');

export interface CleanOptions {
  /** UTF-16 units; longer texts are cut first. Default 262,144. */
  readonly maxChars?: number | undefined;
}

export interface CleanedText {
  readonly text: string;
  /** What was taken out, by kind; empty when the text is as it was. */
  readonly removed: readonly Removal[];
}

/**
 * What somebody wrote, as people see it on the page: without comments, attributes, elements, definitions and
 * characters that are not shown. Emoji, flags, the forms of Han characters, the joiners of Persian and Indic
 * scripts stay; so does code, where what turns the direction of text is shown as `\u202E`. Never throws, takes
 * time in proportion to the text, and changes nothing when applied again.
 *
 * @see https://spec.commonmark.org/0.31.2/ for what is code and what is HTML
 */
export function cleanUntrustedText(text: string, options: CleanOptions = {}): CleanedText {
  const log = new RemovalLog();
  let current = cutToLength(text, { maxChars: options.maxChars ?? defaultMaxCleanChars, log });
  if (!telling.test(current)) return { text: current, removed: log.toRemovals() };
  current = repair(current, log);
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const cleaned = cleanOnce(current, log);
    if (cleaned === current) return { text: cleaned, removed: log.toRemovals() };
    current = cleaned;
  }
  return { text: untie(current, log), removed: log.toRemovals() };
}

function cutToLength(
  text: string,
  { maxChars, log }: { readonly maxChars: number; readonly log: RemovalLog },
): string {
  if (text.length <= maxChars) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
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
function untie(text: string, log: RemovalLog): string {
  return text.replace(new RegExp(`[<&~\`\\[\\]]|${suspiciousSource}`, 'gv'), (char) => {
    log.add('knotted-markup', char.length);
    return untied[char] ?? '';
  });
}

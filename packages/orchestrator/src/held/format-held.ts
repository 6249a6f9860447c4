import { formatTime, type Locale, toCodeBlock } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import { type AllowedItem, type HeldItem, type HeldRecord, isAllowable, listOpen } from './held-record.ts';
import { heldTexts } from './texts.ts';

export interface FormatHeldOptions {
  readonly locale: Locale;
  /** True if the run receives commands. */
  readonly readsComments: boolean;
  readonly allowed: readonly AllowedItem[];
  /** IANA name. */
  readonly timeZone: string;
}

/** Formats the section on held changes of the comment that a run waits or ends with; empty if nothing was held or is worth a review. */
export function formatHeld(record: HeldRecord, options: FormatHeldOptions): string {
  const text = heldTexts[options.locale];
  const open = listOpen(record);
  const released = record.items.filter(({ state }) => state === 'released');
  const drafts =
    record.drafts.length === 0
      ? []
      : [[text.drafts, '', ...record.drafts.map((path) => `- ${toCodeSpan(path)}`)].join('\n')];
  const parts = [
    ...(open.length === 0 ? [] : formatOpen(open, record, options)),
    ...(released.length === 0 ? [] : [released.map((item) => formatReleased(item, options)).join('\n')]),
    ...drafts,
  ];
  return parts.length === 0 ? '' : [text.section, ...parts].join('\n\n');
}

function formatOpen(
  open: readonly HeldItem[],
  { checks, problem, until }: HeldRecord,
  { locale, readsComments, timeZone }: FormatHeldOptions,
): readonly string[] {
  const text = heldTexts[locale];
  const tested = checks === null ? [] : [text.checks[toChecks(checks.passed)]];
  const end = until === null ? [] : [text.expires(formatTime(new Date(until), timeZone, { seconds: false }))];
  return [
    ...(problem === null ? [] : [text.problem(problem)]),
    text.intro(readsComments && open.some(isAllowable)),
    ...open.map((item) => formatItem(item, locale)),
    ...tested,
    ...end,
  ];
}

function toChecks(passed: boolean | null): 'passed' | 'failed' | 'none' {
  if (passed === null) return 'none';
  return passed ? 'passed' : 'failed';
}

function formatItem(item: HeldItem, locale: Locale): string {
  const text = heldTexts[locale];
  const { number, kind, path, patch, locked, id } = item;
  const lines = [`**H${number}** ${describe(item, { locale, ...codeSpans })}`];
  if (kind === 'secret' && id !== '') lines.push(text.sha256(toCodeSpan(id)));
  if (patch !== null) return [...lines, '', toCodeBlock(patch.replace(/\n$/, ''), 'diff')].join('\n');
  if (locked === null) return lines.join('\n');
  if (kind === 'rest') return [...lines, text.restLocked].join('\n');
  return [...lines, formatLock(locked, { locale, command: toCodeSpan(`/allow ${path}`) })].join('\n');
}

/** Describes a held change without Markdown: file and rule, and why it cannot be allowed by its number. */
export function describeHeldItem(item: HeldItem, locale: Locale): string {
  const { locked, kind, path } = item;
  const text = heldTexts[locale];
  const plain = (words: string) => words;
  const what = describe(item, { locale, toPath: plain, toPattern: plain });
  if (locked === null) return what;
  if (kind === 'rest') return `${what} ${text.restLocked}`;
  return [what, formatLock(locked, { locale, command: `/allow ${path}` })].join(' ');
}

function formatLock(
  locked: NonNullable<HeldItem['locked']>,
  { locale, command }: { readonly locale: Locale; readonly command: string },
): string {
  const text = heldTexts[locale];
  const isNamed = locked === 'long' || locked === 'binary' || locked === 'invisible';
  const named = isNamed ? ` ${command} ${text.beforeRun}`.trimEnd() : '';
  return `${text.locks[locked]}${named}`;
}

interface DescribeOptions {
  readonly locale: Locale;
  readonly toPath: (path: string) => string;
  readonly toPattern: (pattern: string) => string;
}

function describe(
  { kind, path, rule, line }: HeldItem,
  { locale, toPath, toPattern }: DescribeOptions,
): string {
  const text = heldTexts[locale];
  if (kind === 'rest') return text.rest(path.split('\n').length);
  if (kind === 'path') return text.path(toPath(path), toPattern(rule));
  return text.secret(toPath(path), text.line(line), rule);
}

/** Stars and question marks are ordinary in a pattern. */
function toPatternSpan(rule: string): string {
  return /^[\w.*?/@: -]{1,500}$/.test(rule) ? `\`${rule}\`` : toCodeSpan(rule);
}

const codeSpans = { toPath: (path: string) => toCodeSpan(path), toPattern: toPatternSpan };

function formatReleased(
  { number, kind, path, id }: HeldItem,
  { locale, allowed }: FormatHeldOptions,
): string {
  const text = heldTexts[locale];
  const by = allowed.find((one) => one.id === id && one.path === path)?.by ?? null;
  const shown = kind === 'rest' ? text.rest(path.split('\n').length) : toCodeSpan(path);
  return `- ${text.released(`H${number}`, shown, by === null ? null : toCodeSpan(`@${by}`))}`;
}

import { cleanLine } from '../text/terminal-text.ts';
import type { CheckResult } from './check-sheet.ts';
import type { Leftover } from './clean-up.ts';
import type { RehearsalTexts } from './texts.en.ts';

const marks = { passed: '✓', failed: '✗', 'not-supported': '-', skipped: '·' } as const;

/** Formats a result for a terminal: a line, and below it what to do and where. */
export function formatCheck({ name, status, text, fix, url }: CheckResult, texts: RehearsalTexts): string {
  const lines = [`${marks[status]} ${texts.titles[name]}: ${cleanLine(text)}`];
  if (status === 'failed' || status === 'not-supported') {
    if (fix !== null) lines.push(`    → ${cleanLine(fix)}`);
    if (url !== null) lines.push(`      ${cleanLine(url)}`);
  }
  return lines.join('\n');
}

/** Formats what stays on the platform, with the page on which it is removed. */
export function formatLeftovers(leftovers: readonly Leftover[], texts: RehearsalTexts): string {
  const lines = leftovers.map(({ what, reason, url }) =>
    [`  ${cleanLine(what)}: ${cleanLine(reason)}`, ...(url === null ? [] : [`    ${cleanLine(url)}`])].join(
      '\n',
    ),
  );
  return [texts.leftTitle, ...lines].join('\n');
}

/** Counts results. */
export function formatSummary(checks: readonly CheckResult[], texts: RehearsalTexts): string {
  const count = (status: CheckResult['status']) => checks.filter((one) => one.status === status).length;
  return texts.summary(count('passed'), count('failed'), count('not-supported'));
}

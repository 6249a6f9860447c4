import type { CheckResult } from './check-results.ts';
import { cleanLine } from './clean-line.ts';

/** Something that a rehearsal leaves on the platform. */
export interface Leftover {
  /** What it is, in words for the user. */
  readonly what: string;
  /** Why it could not be removed. */
  readonly reason: string;
  /** Page on which it is removed; null for none. */
  readonly url: string | null;
  /** True if the platform or the permissions do not let it be removed, and it is closed. */
  readonly isPermanent: boolean;
}

const marks = { passed: '✓', failed: '✗', 'not-supported': '-', skipped: '·' } as const;

/** Formats a result for a terminal: a line, and below it what to do and where. */
export function formatCheck<Name extends string>(
  { name, status, text, fix, url }: CheckResult<Name>,
  titles: Readonly<Record<Name, string>>,
): string {
  const lines = [`${marks[status]} ${titles[name]}: ${cleanLine(text)}`];
  if (status === 'failed' || status === 'not-supported') {
    if (fix !== null) lines.push(`    → ${cleanLine(fix)}`);
    if (url !== null) lines.push(`      ${cleanLine(url)}`);
  }
  return lines.join('\n');
}

/** Formats what stays on the platform, with the page on which it is removed. */
export function formatLeftovers(leftovers: readonly Leftover[], title: string): string {
  const lines = leftovers.map(({ what, reason, url }) =>
    [`  ${cleanLine(what)}: ${cleanLine(reason)}`, ...(url === null ? [] : [`    ${cleanLine(url)}`])].join(
      '\n',
    ),
  );
  return [title, ...lines].join('\n');
}

/** Counts results of a status. */
export function countResults(checks: readonly CheckResult[], status: CheckResult['status']): number {
  return checks.filter((one) => one.status === status).length;
}
